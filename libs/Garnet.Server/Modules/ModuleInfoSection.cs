// A section that a module adds to INFO. Immutable.
using Garnet.Server.Basics;

namespace Garnet.Server.Modules;

/// <summary>The section's name, which begins with the module's, and what writes its fields.</summary>
internal sealed record ModuleInfoSection(string Name, Action<InfoText> Write);
