// A stretch of effects, parsed. Filled by the replay's thread; then read by the workers that have a share in it, and by nobody else.
using System.Runtime.InteropServices;
using Garnet.Protocol;
using Garnet.Server.Sessions;

namespace Garnet.Server.Persistence.Replay;

/// <summary>Commands in their order, and which of them each worker carries out.</summary>
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

    /// <summary>What the arguments lie in.</summary>
    public byte[] Bytes { get; private set; } = [];

    /// <summary>The arguments of all commands.</summary>
    public ArgumentTable Arguments { get; } = new();

    /// <summary>The commands, in order.</summary>
    public ReadOnlySpan<PreparedCommand> Commands => CollectionsMarshal.AsSpan(_commands);

    /// <summary>Whether it must be carried out in order, when all that came before is done.</summary>
    public bool IsInOrder { get; set; }

    /// <summary>Begins anew, with commands in these bytes.</summary>
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

    /// <summary>Adds a command. Those with the same hash are carried out by the same worker, in their order.</summary>
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

    /// <summary>Notes for how many workers there is something to do; 0 when there is nothing at all.</summary>
    public int CountShares() => _unfinished = _shares.Count(static share => share.Count > 0);

    /// <summary>A worker has done its share; true for the last one.</summary>
    public bool FinishShare() => Interlocked.Decrement(ref _unfinished) == 0;
}
