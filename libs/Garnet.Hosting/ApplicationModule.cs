// A module that an application adds to one of its servers. Immutable.
using Garnet.Modules;

namespace Garnet.Hosting;

/// <summary>A service with the server's name as its key.</summary>
internal sealed record ApplicationModule(ModuleEntryAttribute Entry);
