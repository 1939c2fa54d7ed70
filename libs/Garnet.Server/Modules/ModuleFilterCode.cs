// The code of a command filter. Called by any thread that executes commands.
using Garnet.Engine.Execution;

namespace Garnet.Server.Modules;

/// <summary>Looks at a request, and may change or reject it.</summary>
internal delegate void ModuleFilterCode(ref CommandContext context, FilteredRequest request);
