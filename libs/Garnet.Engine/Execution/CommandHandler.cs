// The signature of a command's implementation.
namespace Garnet.Engine.Execution;

/// <summary>
/// Executes one command: reads its arguments from the context, works on the store and writes exactly one reply. Runs on the connection's
/// I/O thread inside the store's epoch, so it must not wait.
/// </summary>
internal delegate void CommandHandler(ref CommandContext context);
