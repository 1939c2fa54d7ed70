// A login about which a module has not decided yet. Used by the client's own thread.
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Protocol;
using Garnet.Server.Modules;

namespace Garnet.Server.Commands.Connection;

/// <summary>Keeps the command's arguments, and ends the command when the login is decided.</summary>
internal sealed class PendingLogin : PendingTask<LoginDecision>
{
    private readonly ScopedRequest _arguments = new();
    private readonly Login _login;
    private readonly LoginAttempt _attempt;
    private readonly Task<LoginDecision> _decision;
    private readonly CommandHandler _finish;

    public PendingLogin(
        scoped in CommandContext context,
        Login login,
        LoginAttempt attempt,
        IReadOnlyCollection<LoadedModule> modules,
        Task<LoginDecision> decision,
        CancellationTokenSource stop,
        CommandHandler finish
    )
        : base(in context, modules, stop, timeoutMs: 0)
    {
        _login = login;
        _attempt = attempt;
        _decision = decision;
        _finish = finish;
        for (int i = 0; i < context.Count; i++)
            _arguments.Append(context[i]);
    }

    /// <inheritdoc/>
    public override bool TryUnblock(UnblockReason reason) => false;

    /// <inheritdoc/>
    protected override Task<LoginDecision> Start(CancellationToken stop) => _decision;

    /// <inheritdoc/>
    protected override void WriteResult(ref RespWriter reply, Task<LoginDecision> task)
    {
        CommandContext context = new(Client, Client.Executor.Threads.Current, reply) { Command = Command };
        _arguments.LoadInto(ref context);
        if (_login.TryApply(ref context, _attempt, task.GetAwaiter().GetResult()))
            _finish(ref context);
        reply = context.Reply;
    }
}
