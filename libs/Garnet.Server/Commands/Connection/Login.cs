// AUTH and the login of HELLO.
using System.Text;
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;
using Garnet.Server.Acl;
using Garnet.Server.Modules;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Commands.Connection;

/// <summary>Asks modules whether a client may log in, and checks the password if they leave it to that.</summary>
internal sealed class Login(ServerModules modules, Users users, ServerStatistics statistics, ILogger log)
{
    private static ReadOnlySpan<byte> WrongPassword => "WRONGPASS invalid username-password pair or user is disabled."u8;

    /// <summary>
    /// Logs the client in and finishes its command; or replies with the refusal, which is logged and counted. Happens later if a module
    /// takes its time.
    /// </summary>
    /// <param name="context">The command.</param>
    /// <param name="name">The user.</param>
    /// <param name="password">The password.</param>
    /// <param name="finish">The rest of the command, with the same arguments.</param>
    public void Try(ref CommandContext context, ReadOnlySpan<byte> name, ReadOnlySpan<byte> password, CommandHandler finish)
    {
        if (modules.LoginHooks.AreOn)
            TryModules(ref context, name, password, finish);
        else if (TryPassword(ref context, name, password))
            finish(ref context);
    }

    /// <summary>Does what was decided; true when the client is logged in, else the refusal is written.</summary>
    public bool TryApply(ref CommandContext context, LoginAttempt attempt, LoginDecision decision) =>
        decision.Verdict switch
        {
            LoginVerdict.Allow => TryUser(ref context, attempt.UserName, decision.Text),
            LoginVerdict.Deny => Refuse(
                ref context,
                attempt.UserName,
                decision.Text.Length == 0 ? WrongPassword : Encoding.UTF8.GetBytes(decision.Text)
            ),
            _ => TryPassword(ref context, attempt.UserName, attempt.Password),
        };

    private void TryModules(ref CommandContext context, ReadOnlySpan<byte> name, ReadOnlySpan<byte> password, CommandHandler finish)
    {
        LoginHooks hooks = modules.LoginHooks;
        IReadOnlyList<LoginHook> asked = hooks.All;
        LoginAttempt attempt = new(name.ToArray(), password.ToArray(), context.Client.Id, context.Client.Connection.RemoteAddress);
        CancellationTokenSource stop = new();
        ValueTask<LoginDecision> decision = hooks.DecideAsync(attempt, asked, stop.Token);
        if (decision.IsCompletedSuccessfully)
        {
            if (TryApply(ref context, attempt, decision.Result))
                finish(ref context);
            return;
        }

        if (context.MayBlock)
        {
            LoadedModule[] asking = [.. asked.Select(static hook => hook.Module).Distinct()];
            context.Suspend(new PendingLogin(in context, this, attempt, asking, decision.AsTask(), stop, finish));
            return;
        }

        stop.CancelAsync();
        Refuse(ref context, name, "ERR a module takes its time to decide about the login, which is not possible in a transaction"u8);
    }

    private bool TryUser(ref CommandContext context, ReadOnlySpan<byte> name, string user)
    {
        if (users.FindText(user) is { Rules.IsOn: true } found && TryBegin(ref context, found))
            return true;
        log.LogWarning("A module has allowed a login as {User}, who does not exist or is disabled", user);
        return Refuse(ref context, name, WrongPassword);
    }

    private bool TryPassword(ref CommandContext context, ReadOnlySpan<byte> name, ReadOnlySpan<byte> password) =>
        (users.Authenticate(name, password) is { } user && TryBegin(ref context, user)) || Refuse(ref context, name, WrongPassword);

    private bool TryBegin(ref CommandContext context, User user)
    {
        context.Client.Login.Begin(user);
        // Looked up again, as it may have been deleted before it could be seen that this client uses it.
        if (users.Find(user.Name) == user)
            return true;
        context.Client.Login.End(mayBeDefault: false);
        return false;
    }

    private bool Refuse(ref CommandContext context, ReadOnlySpan<byte> name, ReadOnlySpan<byte> error)
    {
        statistics.CountDenial(Denial.Login);
        users.Denials.Add(context.Client, Denial.Login, context[0], Encoding.Latin1.GetString(name));
        context.Reply.WriteError(error);
        return false;
    }
}
