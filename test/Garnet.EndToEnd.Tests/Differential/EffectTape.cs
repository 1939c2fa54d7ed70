// A write sink that records effects for replay on another server. Any thread appends.
using System.Globalization;
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Server.Composition;
using Garnet.Server.Persistence;
using Garnet.Store;

namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>Records effects with their databases, in order.</summary>
internal sealed class EffectTape : IWriteSink
{
    private readonly Lock _gate = new();
    private readonly List<(int Database, byte[] Effect)> _effects = [];

    public void Append(int database, ReadOnlySpan<byte> effect)
    {
        lock (_gate)
            _effects.Add((database, effect.ToArray()));
    }

    /// <summary>Discards all effects.</summary>
    public void Clear()
    {
        lock (_gate)
            _effects.Clear();
    }

    /// <summary>Replays the effects on another server, which is emptied first, in the same way as the start of a server does.</summary>
    /// <param name="server">The other server.</param>
    /// <param name="workers">Number of threads.</param>
    /// <param name="commandsPerBatch">Number of commands per batch.</param>
    public void Replay(RespServer server, int workers, int commandsPerBatch)
    {
        using StoreSession session = server.Store.OpenSession();
        server.Store.Databases.FlushAll(session);
        using EffectReplay replay = new(server.ClientFactory, server.Store.Databases, workers, static () => { })
        {
            CommandsPerBatch = commandsPerBatch,
        };
        server.Store.Clock.IsStopped = true;
        replay.Apply(Recorded(), nameof(EffectTape), 0);
        replay.Settle();
        server.Store.Clock.IsStopped = false;
    }

    /// <summary>As <see cref="Replay"/>, one effect after the other on this thread, with something done before each.</summary>
    public void ReplayEach(RespServer server, Action before)
    {
        using StoreSession session = server.Store.OpenSession();
        server.Store.Databases.FlushAll(session);
        using EffectReplay replay = new(server.ClientFactory, server.Store.Databases, workers: 0, static () => { });
        server.Store.Clock.IsStopped = true;
        foreach ((int database, byte[] effect) in _effects)
        {
            before();
            replay.Apply(new ArraySegment<byte>([.. Select(database), .. effect]), nameof(EffectTape), 0);
            replay.Settle();
        }

        server.Store.Clock.IsStopped = false;
    }

    // In the format of the log: one after the other, with a SELECT where the database changes.
    private byte[] Recorded()
    {
        MemoryStream all = new();
        int selected = -1;
        foreach ((int database, byte[] effect) in _effects)
        {
            if (database != selected)
                all.Write(Select(database));

            selected = database;
            all.Write(effect);
        }

        return all.ToArray();
    }

    private static byte[] Select(int database)
    {
        string index = database.ToString(CultureInfo.InvariantCulture);
        return Encoding.ASCII.GetBytes($"*2\r\n$6\r\nSELECT\r\n${index.Length}\r\n{index}\r\n");
    }

    public override string ToString() =>
        string.Join(Environment.NewLine, _effects.Select(each => $"{each.Database}: {RespText.Quote(each.Effect)}"));
}
