// A batch of parsed effects. Filled by the replay's thread; then read only by the workers that have a share of it.
using System.Runtime.InteropServices;
using Garnet.Engine.Execution;
using Garnet.Protocol;

namespace Garnet.Server.Persistence.Replay;

/// <summary>Commands in their order, and which of them each worker executes.</summary>
internal sealed class ReplayBatch
{
    private readonly List<PreparedCommand> _commands = [];
    private readonly List<int> _everything = [];
    private readonly List<int>[] _shares;
    private int _unfinished;

    public ReplayBatch(int workers)
    {
        _shares = [.. Enumerable.Range(0, workers).Select(static _ => new List<int>())];
    }

    /// <summary>The buffer with the arguments.</summary>
    public byte[] Bytes { get; private set; } = [];

    /// <summary>The arguments of all commands.</summary>
    public ArgumentTable Arguments { get; } = new();

    /// <summary>The commands, in order.</summary>
    public ReadOnlySpan<PreparedCommand> Commands => CollectionsMarshal.AsSpan(_commands);

    /// <summary>Whether it must be executed in order, after everything before it is done.</summary>
    public bool IsInOrder { get; set; }

    /// <summary>Resets the batch, for commands in these bytes.</summary>
    public void Clear(byte[] bytes)
    {
        Bytes = bytes;
        Arguments.Clear();
        _commands.Clear();
        _everything.Clear();
        foreach (List<int> share in _shares)
            share.Clear();
        IsInOrder = false;
    }

    /// <summary>Adds a command. Those with the same hash are executed by the same worker, in their order.</summary>
    public void Add(in PreparedCommand command)
    {
        if (_shares.Length > 0)
            _shares[(int)(((command.Hash >> 32) * (ulong)_shares.Length) >> 32)].Add(_commands.Count);
        _everything.Add(_commands.Count);
        _commands.Add(command);
    }

    /// <summary>All commands, as indexes.</summary>
    public ReadOnlySpan<int> Everything => CollectionsMarshal.AsSpan(_everything);

    /// <summary>The commands of one worker, as indexes.</summary>
    public ReadOnlySpan<int> ShareOf(int worker) => CollectionsMarshal.AsSpan(_shares[worker]);

    /// <summary>Records and returns how many workers have something to do; 0 when there is nothing.</summary>
    public int CountShares() => _unfinished = _shares.Count(static share => share.Count > 0);

    /// <summary>A worker has finished its share; true for the last one.</summary>
    public bool FinishShare() => Interlocked.Decrement(ref _unfinished) == 0;
}
