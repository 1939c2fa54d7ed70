// A module that decides about logins. Immutable; called by any thread that executes commands.
namespace Garnet.Server.Modules;

/// <summary>What a module has for logins.</summary>
/// <param name="Module">The module.</param>
/// <param name="Decide">Decides about one, now or later; the token says that the client waits no longer.</param>
internal sealed record LoginHook(LoadedModule Module, Func<LoginAttempt, CancellationToken, ValueTask<LoginDecision>> Decide);
