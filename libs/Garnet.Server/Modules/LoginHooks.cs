// What modules have for logins. Changed under the barrier; used by any thread.
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Modules;

/// <summary>Asks modules about a login, the one added last first, until one decides.</summary>
internal sealed class LoginHooks(ModuleLoggers loggers)
{
    private volatile LoginHook[] _all = [];

    /// <summary>Whether there are any.</summary>
    public bool AreOn => _all.Length > 0;

    /// <summary>Those that would be asked now.</summary>
    public IReadOnlyList<LoginHook> All => _all;

    /// <summary>The hooks follow what modules have. Under the barrier, unless the server has not started.</summary>
    public void Follow(IEnumerable<LoadedModule> modules) => _all = [.. modules.SelectMany(static module => module.LoginHooks).Reverse()];

    /// <summary>Asks them, and goes on when one that takes its time has passed the login on. Does not throw.</summary>
    /// <param name="attempt">What the client sends.</param>
    /// <param name="hooks">Which are asked.</param>
    /// <param name="stopped">The client waits no longer.</param>
    public async ValueTask<LoginDecision> DecideAsync(LoginAttempt attempt, IReadOnlyList<LoginHook> hooks, CancellationToken stopped)
    {
        foreach (LoginHook hook in hooks)
        {
            LoginDecision decision = await DecideAsync(attempt, hook, stopped).ConfigureAwait(false);
            if (decision.Verdict != LoginVerdict.PassOn)
                return decision;
        }

        return default;
    }

    // A module that fails does not let anybody in, and the client is not told why.
    private async ValueTask<LoginDecision> DecideAsync(LoginAttempt attempt, LoginHook hook, CancellationToken stopped)
    {
        try
        {
            return await hook.Decide(attempt, stopped).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (stopped.IsCancellationRequested)
        {
            return new LoginDecision(LoginVerdict.Deny, "");
        }
        catch (Exception e)
        {
            hook.Module.CountException();
            loggers.For(hook.Module.Name).LogError(e, "Module {Module} failed to decide about a login", hook.Module.Name);
            return new LoginDecision(LoginVerdict.Deny, $"ERR the module '{hook.Module.Name}' failed to decide about the login");
        }
    }
}
