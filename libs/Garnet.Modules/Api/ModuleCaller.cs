// Calls commands outside of a client's command. Valid during one callback, on its thread.
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Server.Modules;

namespace Garnet.Modules;

/// <summary>
/// Calls commands in a module's timers and events. Each call is a command of its own, with all rights: other clients' commands may come
/// between two of them. To change several keys as one step, call a command of the module that does so.
/// </summary>
public sealed class ModuleCaller
{
    private ServerCaller? _caller;

    internal ModuleCaller(ServerCaller caller)
    {
        _caller = caller;
        caller.Database = 0;
    }

    private ServerCaller Caller =>
        _caller ?? throw new InvalidOperationException("The callback that this object was passed to has returned.");

    /// <summary>Number of the database that commands are called in; 0 at first.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such database.</exception>
    public int Database
    {
        get => Caller.Database;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(value, Caller.Databases);
            Caller.Database = value;
        }
    }

    /// <summary>Begins a command with any number of arguments.</summary>
    public ModuleRequest Request(CommandToken token)
    {
        ArgumentNullException.ThrowIfNull(token);
        return new ModuleRequest(Caller.Request, scope: null, token);
    }

    /// <summary>Calls a command, and waits where a client's would; one that blocks is refused.</summary>
    /// <param name="request">The command, from <see cref="Request"/>.</param>
    /// <param name="flags"><see cref="CallFlags.ErrorsAsReplies"/> and <see cref="CallFlags.Resp3"/>; others have no meaning here.</param>
    /// <returns>The reply, valid until the next call.</returns>
    /// <exception cref="CallException">The command replied with an error, and the flags do not make errors replies.</exception>
    /// <exception cref="OperationCanceledException">The module was unloaded, or the server stops.</exception>
    public CallReply Call(ModuleRequest request, CallFlags flags = CallFlags.None)
    {
        ServerCaller caller = Caller;
        if (request.Scope is not null || (flags & ~(CallFlags.ErrorsAsReplies | CallFlags.Resp3)) != 0)
            throw new ArgumentException("The request or a flag is one of a command's context.", nameof(request));
        Command command = request.Token.Command;
        bool succeeded = caller.Execute(command.Parent ?? command, (flags & CallFlags.Resp3) != 0 ? 3 : 2);
        if (!succeeded && (flags & CallFlags.ErrorsAsReplies) == 0)
            throw new CallException(Encoding.Latin1.GetString(caller.Request.Reply[1..^2]));
        return new CallReply(caller.Request.Reply, out _);
    }

    /// <inheritdoc cref="Call(ModuleRequest, CallFlags)"/>
    public CallReply Call(CommandToken token) => Call(Request(token));

    /// <inheritdoc cref="Call(ModuleRequest, CallFlags)"/>
    public CallReply Call(CommandToken token, scoped ReadOnlySpan<byte> argument1) => Call(Request(token).Add(argument1));

    /// <inheritdoc cref="Call(ModuleRequest, CallFlags)"/>
    public CallReply Call(CommandToken token, scoped ReadOnlySpan<byte> argument1, scoped ReadOnlySpan<byte> argument2) =>
        Call(Request(token).Add(argument1).Add(argument2));

    internal void End() => _caller = null;
}
