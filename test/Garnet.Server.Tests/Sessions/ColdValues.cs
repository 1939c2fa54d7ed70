// A toy of data larger than memory: values that are kept outside of the store until a command needs them. Used by one test.
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;
using Xunit;

namespace Garnet.Server.Tests.Sessions;

/// <summary>Payloads by key, in database 0. What was asked for arrives when the test says so.</summary>
internal sealed class ColdValues : IValueSource
{
    private readonly InProcessServer _server;
    private readonly InProcessClient _loader;
    private readonly Lock _gate = new();
    private readonly Dictionary<string, string> _cold = [];
    private readonly HashSet<string> _wanted = [];
    private TaskCompletionSource? _arrival;

    public ColdValues(InProcessServer server)
    {
        _server = server;
        _loader = server.Connect();
        server.Server.Executor.Gates.ColdValues.Source = this;
    }

    /// <summary>Keys whose values commands wait for.</summary>
    public IReadOnlyList<string> Wanted
    {
        get
        {
            lock (_gate)
                return [.. _wanted.Order(StringComparer.Ordinal)];
        }
    }

    /// <summary>Moves values out of the store.</summary>
    public void Evict(params string[] keys)
    {
        foreach (string key in keys)
        {
            string payload = _loader.Call("DUMP", key);
            _loader.Call("DEL", key);
            lock (_gate)
                _cold.Add(key, payload[(payload.IndexOf('\n', StringComparison.Ordinal) + 1)..^2]);
        }
    }

    /// <summary>Brings back what is wanted, and lets those who wait for it ask again.</summary>
    public void Arrive()
    {
        foreach (string key in Wanted)
        {
            string payload;
            lock (_gate)
            {
                _cold.Remove(key, out payload!);
                _wanted.Remove(key);
            }

            Assert.Equal("+OK\r\n", _loader.Call("RESTORE", key, "0", payload));
        }

        TaskCompletionSource? arrival;
        lock (_gate)
            (arrival, _arrival) = (_arrival, null);
        arrival?.SetResult();
    }

    public GateAnswer Fetch(ref CommandContext context)
    {
        lock (_gate)
        {
            if (_cold.Count == 0 || HasAll(context))
                return default;
            _arrival ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return GateAnswer.WaitFor(_arrival.Task);
        }
    }

    public void ReadAhead(ClientSession client, ReadOnlySpan<PreparedCommand> requests) { }

    // Takes the context by value, since it loads the queued commands into it.
    private bool HasAll(CommandContext context)
    {
        if (!context.Command.IsExec || context.Client.Transactions.Open is not { IsBroken: false } transaction)
            return HasKeysOf(in context);
        bool hasAll = true;
        foreach (QueuedCommand queued in transaction.Commands)
        {
            context.Load(transaction.Buffer, transaction.ArgumentsOf(queued), transaction.Held);
            context.Command = queued.Command;
            hasAll &= HasKeysOf(in context);
        }

        return hasAll;
    }

    private bool HasKeysOf(in CommandContext context)
    {
        const CommandFlags OnKeys = CommandFlags.ReadOnly | CommandFlags.Write;
        List<KeyPosition> positions = [];
        bool areKnown = KeyExtractor.TryGetKeys(context.Command, in context, 0, positions) && !context.Command.HasUnknownKeys;
        bool isWide = (context.Command.Flags & CommandFlags.WholeKeyspace) != 0;
        if (isWide || (!areKnown && (context.Command.Flags & OnKeys) != 0))
            return HasAll(_cold.Keys);
        List<string> keys = [];
        foreach (KeyPosition position in positions)
            keys.Add(Encoding.Latin1.GetString(context[position.Index]));
        return HasAll(keys);
    }

    private bool HasAll(IEnumerable<string> keys)
    {
        bool hasAll = true;
        foreach (string key in keys.Where(_cold.ContainsKey))
        {
            hasAll = false;
            _wanted.Add(key);
        }

        return hasAll;
    }
}
