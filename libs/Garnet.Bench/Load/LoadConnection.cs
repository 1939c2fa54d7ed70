// The state of one connection under load. One thread.
using Garnet.Bench.Workloads;

namespace Garnet.Bench.Load;

/// <summary>Which command is next, and which replies are to come: a ring as long as the pipeline is deep.</summary>
internal sealed class LoadConnection
{
    private readonly PendingRequest[] _pending;
    private readonly KeySequence[] _keys;
    private readonly IReadOnlyList<WorkloadCommand> _commands;
    private int _head;
    private int _command;
    private int _repeatsLeft;

    /// <summary>A connection with nothing under way.</summary>
    /// <param name="id">Its number in the thread.</param>
    /// <param name="channel">Its bytes.</param>
    /// <param name="commands">The commands that it sends.</param>
    /// <param name="keys">The sequence of keys for each of them.</param>
    /// <param name="pipeline">Requests that it may have under way.</param>
    public LoadConnection(int id, ILoadChannel channel, IReadOnlyList<WorkloadCommand> commands, KeySequence[] keys, int pipeline)
    {
        Id = id;
        Channel = channel;
        _commands = commands;
        _keys = keys;
        _pending = new PendingRequest[pipeline];
        _repeatsLeft = commands[0].Repeats;
    }

    /// <summary>Its number in the thread.</summary>
    public int Id { get; }

    /// <summary>Its bytes; another one's after each request where connections are not kept.</summary>
    public ILoadChannel Channel { get; set; }

    /// <summary>Reads its replies.</summary>
    public ReplyReader Reader { get; } = new();

    /// <summary>Replies to come.</summary>
    public int Count { get; private set; }

    /// <summary>Whether another request may be sent.</summary>
    public bool HasRoom => Count < _pending.Length && !Channel.IsBlocked;

    /// <summary>Replies to the greeting that are still to come.</summary>
    public int GreetingsLeft { get; set; }

    /// <summary>Whether it stands in the line of connections that wait for a request.</summary>
    public bool IsQueued { get; set; }

    /// <summary>Whether it stands in the line of connections from which more is to be received.</summary>
    public bool IsUnread { get; set; }

    /// <summary>When the next reply became the next one, or when its request was sent, if that was later.</summary>
    public long HeadSince { get; set; }

    /// <summary>The request whose reply comes next.</summary>
    public ref readonly PendingRequest Head => ref _pending[_head];

    /// <summary>Chooses the command to send next.</summary>
    /// <param name="keys">Its keys.</param>
    /// <returns>Its index.</returns>
    public int NextCommand(out KeySequence keys)
    {
        if (_repeatsLeft == 0)
        {
            _command = (_command + 1) % _commands.Count;
            _repeatsLeft = _commands[_command].Repeats;
        }

        _repeatsLeft--;
        keys = _keys[_command];
        return _command;
    }

    /// <summary>Adds a request that is being sent.</summary>
    public void Push(PendingRequest request, long now)
    {
        if (Count == 0)
            HeadSince = now;
        int at = _head + Count++;
        _pending[at < _pending.Length ? at : at - _pending.Length] = request;
    }

    /// <summary>Removes the head, whose reply has come.</summary>
    public void Pop(long now)
    {
        Count--;
        if (++_head == _pending.Length)
            _head = 0;
        HeadSince = now;
    }
}
