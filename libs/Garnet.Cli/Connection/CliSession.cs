// Commands on a connection, which is made again where it was lost. One thread; Abort from any.
using System.Diagnostics;
using System.Globalization;
using Garnet.Cli.Options;
using Garnet.Cli.Output;
using Garnet.Client;

namespace Garnet.Cli.Connection;

/// <summary>Sends commands and prints their replies, as redis-cli does.</summary>
/// <param name="options">What the command line says.</param>
/// <param name="printer">Prints replies.</param>
/// <param name="report">Prints a message about the connection.</param>
internal sealed class CliSession(CliOptions options, ReplyPrinter printer, Action<string> report) : IDisposable
{
    private const int MaxRedirections = 16;
    private static readonly TimeSpan ReconnectPause = TimeSpan.FromSeconds(1);

    private CliConnection? _connection;
    private bool _isEnding;

    /// <summary>What commands have changed about the connection.</summary>
    public SessionState State { get; } = new();

    /// <summary>Whether lines are read, so that an error does not end the process.</summary>
    public bool IsInteractive { get; set; }

    /// <summary>Whether the last AUTH of this program's own was refused.</summary>
    public bool HasFailedToAuthenticate { get; private set; }

    /// <summary>The kind of the last reply; null before the first.</summary>
    public RespValue? LastReply { get; private set; }

    /// <summary>The connection, or null.</summary>
    public CliConnection? Connection => _connection;

    /// <summary>Connects, authenticates, and selects database and protocol; replaces an earlier connection.</summary>
    /// <param name="isQuiet">Whether to say nothing when it is not possible to connect.</param>
    /// <returns>Whether there is a connection.</returns>
    public bool Connect(bool isQuiet = false)
    {
        Drop();
        ConnectionOptions target = options.Connection;
        try
        {
            if (target.Sentinel is not null)
                SentinelLookup.Apply(target);
            _connection = CliConnection.Open(target);
        }
        catch (ConnectionLostException e)
        {
            if (!isQuiet)
                report($"Could not connect to the server at {target.Address}: {e.Message}");
            return false;
        }

        try
        {
            Authenticate(target);
            SelectDatabase();
            SelectProtocol(target);
            return true;
        }
        catch (ConnectionLostException e)
        {
            Drop();
            report($"Error: {e.Message}");
            return false;
        }
    }

    /// <summary>The connection; the process ends where there is none.</summary>
    /// <exception cref="CliException">It is not possible to connect.</exception>
    public CliConnection Require() => _connection ?? (Connect() ? _connection! : throw new CliException(""));

    /// <summary>Sends a command and prints its replies, on another node if the cluster says so.</summary>
    /// <param name="command">The name and its arguments.</param>
    /// <param name="repeat">How often; negative for ever.</param>
    /// <returns>Whether it was sent and answered, be it with an error.</returns>
    public bool Run(byte[][] command, long repeat)
    {
        Redirection? redirection = null;
        for (int redirections = 0; redirections <= MaxRedirections; redirections++)
        {
            if ((_connection is null || redirection is not null) && !Connect())
                return false;
            try
            {
                if (redirection is { IsOnce: true } && _connection!.Call("ASKING") is { IsError: true } refusal)
                    report($"ASKING failed: {refusal.Text}");
                redirection = SendRepeatedly(command, repeat);
            }
            catch (ConnectionLostException e)
            {
                return AfterLoss(e);
            }

            if (redirection is null)
                return true;
            Follow(redirection);
        }

        throw new CliException($"The cluster's nodes redirect the command to each other; given up after {MaxRedirections} times");
    }

    /// <summary>Calls a command without arguments; where the connection was lost, waits until the server is back.</summary>
    /// <param name="name">The command.</param>
    /// <param name="interruption">Ends the wait; it should abort this session's connection.</param>
    /// <param name="roundTrip">How long the last attempt took.</param>
    /// <returns>The reply; null where the user has asked to end.</returns>
    public RespValue? CallReconnecting(string name, Interruption interruption, out TimeSpan roundTrip)
    {
        roundTrip = default;
        while (!interruption.IsRequested)
        {
            try
            {
                CliConnection connection = Require();
                long start = Stopwatch.GetTimestamp();
                RespValue reply = connection.Call(name);
                roundTrip = Stopwatch.GetElapsedTime(start);
                return reply;
            }
            catch (ConnectionLostException e) when (e.CanReconnect)
            {
                if (!interruption.IsRequested)
                    report($"Error: {e.Message}; reconnecting");
                // The pause comes first: a server that closes each connection at once is not to be asked without end.
                while (!interruption.Wait(ReconnectPause) && !Connect(isQuiet: true)) { }
            }
        }

        return null;
    }

    /// <summary>Reads a message of a channel and prints it.</summary>
    public void PrintMessage()
    {
        RespValue reply = ReadAndPrint(isPlain: false, takesPushes: true);
        if (SubscriptionReply.Is(reply, State.IsResp3))
            SubscriptionReply.Apply(reply, State);
    }

    /// <summary>Ends what the connection is doing: a command, MONITOR or a subscription.</summary>
    public void Abort() => _connection?.Abort();

    /// <summary>Closes the connection.</summary>
    public void Drop()
    {
        _connection?.Dispose();
        _connection = null;
        State.Reset();
    }

    /// <inheritdoc/>
    public void Dispose() => Drop();

    /// <summary>Selects the wanted database, if another one is selected.</summary>
    /// <exception cref="CliException">The server refuses: a command would run on the wrong one.</exception>
    private void SelectDatabase()
    {
        int wanted = options.Connection.Database;
        if (wanted == State.Database)
            return;
        RespValue reply = _connection!.Call("SELECT", wanted.ToString(CultureInfo.InvariantCulture));
        if (!reply.IsError)
            State.Database = wanted;
        else if (IsInteractive)
            report($"SELECT {wanted} failed: {reply.Text}");
        else
            throw new CliException($"SELECT {wanted} failed: {reply.Text}");
    }

    private void Authenticate(ConnectionOptions target)
    {
        if (target.Password is null)
            return;
        RespValue reply = target.User is null
            ? _connection!.Call("AUTH", target.Password)
            : _connection!.Call("AUTH", target.User, target.Password);
        HasFailedToAuthenticate = reply.IsError;
        if (reply.IsError)
            report($"AUTH failed: {reply.Text}");
    }

    private void SelectProtocol(ConnectionOptions target)
    {
        if (target.Protocol != 3)
            return;
        RespValue reply = _connection!.Call("HELLO", "3");
        State.IsResp3 = !reply.IsError;
        if (!reply.IsError)
            return;
        report($"HELLO 3 failed: {reply.Text}");
        if (target.RequiresProtocol && !IsInteractive)
            throw new CliException("");
    }

    // Null when it was answered; otherwise where to send it.
    private Redirection? SendRepeatedly(byte[][] command, long repeat)
    {
        ReadOnlySpan<byte> name = command[0];
        bool isPlain = CommandName.HasPlainReply(command) && !State.IsInTransaction;
        _isEnding = CommandName.Is(name, "shutdown"u8);
        while (repeat < 0 || repeat-- > 0)
        {
            _connection!.Append(command);
            _connection.Flush();
            if (CommandName.Is(command[0], "monitor"u8))
            {
                Monitor();
                return null;
            }

            if (ReadReplies(command, isPlain) is { } redirection)
                return redirection;
            if (options.Interval is { } pause)
                Thread.Sleep(pause);
        }

        return null;
    }

    private void Monitor()
    {
        do
        {
            ReadAndPrint(isPlain: false, takesPushes: false);
        } while (!LastReply!.IsError);
    }

    private Redirection? ReadReplies(byte[][] command, bool isPlain)
    {
        bool isSubscription = CommandName.IsSubscribe(command[0]) || CommandName.IsUnsubscribe(command[0]);
        int expected = isSubscription ? Math.Max(command.Length - 1, 1) : 0;
        while (true)
        {
            RespValue reply = ReadReply(takesPushes: isSubscription || State.IsSubscribed);
            if (options.IsCluster && Redirection.TryParse(reply) is { } redirection)
                return redirection;
            Print(reply, isPlain);
            if (expected > 0 || State.IsSubscribed)
            {
                if (SubscriptionReply.Is(reply, State.IsResp3))
                {
                    SubscriptionReply.Apply(reply, State);
                    if (expected == 0 || !SubscriptionReply.Confirms(reply, command[0]) || --expected > 0)
                        continue;
                }
                else if (reply.Kind == RespKind.Push)
                {
                    continue;
                }
            }

            SessionEffect.Apply(command, reply, State, options.Connection);
            if (CommandName.Is(command[0], "auth"u8) && command.Length is 2 or 3)
                SelectDatabase();
            return null;
        }
    }

    private RespValue ReadAndPrint(bool isPlain, bool takesPushes)
    {
        RespValue reply = ReadReply(takesPushes);
        Print(reply, isPlain);
        return reply;
    }

    private RespValue ReadReply(bool takesPushes)
    {
        while (true)
        {
            RespValue reply = _connection!.Read();
            if (reply.Kind != RespKind.Push || takesPushes)
                return LastReply = reply;
            if (options.Output.ShowsPushes)
                printer.PrintPush(reply);
        }
    }

    private void Print(RespValue reply, bool isPlain)
    {
        if (reply.IsError && options.Output.FailsOnError && !IsInteractive)
            throw new CliException(reply.Text);
        printer.Print(reply, isPlain);
    }

    private void Follow(Redirection redirection)
    {
        if (redirection.Host.Length > 0)
            options.Connection.Host = redirection.Host;
        options.Connection.Port = redirection.Port;
        options.Connection.Sentinel = null;
        if (IsInteractive)
            printer.PrintLine($"-> Redirected to slot [{redirection.Slot}] located at {options.Connection.Address}");
    }

    private bool AfterLoss(ConnectionLostException loss)
    {
        bool isWanted = _isEnding || _connection is { IsAborted: true };
        bool isAborted = _connection is { IsAborted: true };
        Drop();
        if (isAborted)
            return Connect();
        if (isWanted)
            return true;
        if (!IsInteractive)
            throw new CliException($"Error: {loss.Message}");
        report($"Error: {loss.Message}");
        return false;
    }
}
