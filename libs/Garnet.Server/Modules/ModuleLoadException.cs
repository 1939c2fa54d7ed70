// Why a module cannot be loaded or unloaded. Immutable.
namespace Garnet.Server.Modules;

/// <summary>A module is refused; the message is for the client and the log.</summary>
internal sealed class ModuleLoadException(string message, Exception? inner = null) : Exception(message, inner);
