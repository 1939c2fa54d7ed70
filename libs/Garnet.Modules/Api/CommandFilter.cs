// What sees requests before their commands are looked up.
namespace Garnet.Modules;

/// <summary>
/// Sees a request, and may change or reject it. Called by any thread that executes commands, for each request: it must be fast, must not
/// wait, and cannot call commands. If it throws, the request is rejected with an error and the exception is counted.
/// </summary>
/// <param name="command">The request, valid during the call.</param>
public delegate void CommandFilter(ref FilteredCommand command);
