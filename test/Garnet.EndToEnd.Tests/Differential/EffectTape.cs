// A write sink that keeps effects to carry them out elsewhere. Any thread appends.
using System.Globalization;
using System.Text;
using Garnet.Server.Persistence;
using Garnet.Server.Sessions;
using Garnet.Store;

namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>Keeps effects with their databases, in order.</summary>
internal sealed class EffectTape : IWriteSink
{
    private readonly Lock _gate = new();
    private readonly List<(int Database, byte[] Effect)> _effects = [];

    public void Append(int database, ReadOnlySpan<byte> effect)
    {
        lock (_gate)
            _effects.Add((database, effect.ToArray()));
    }

    /// <summary>Forgets everything.</summary>
    public void Clear()
    {
        lock (_gate)
            _effects.Clear();
    }

    /// <summary>Carries the effects out on another server, which is emptied first, as the start of a server does.</summary>
    /// <param name="server">The other server.</param>
    /// <param name="workers">Threads that share the work.</param>
    /// <param name="commandsPerBatch">How much they get at a time.</param>
    public void Replay(RespServer server, int workers, int commandsPerBatch)
    {
        using StoreSession session = server.Store.OpenSession();
        server.Store.FlushAll(session);
        using EffectReplay replay = new(server, workers, static () => { }) { CommandsPerBatch = commandsPerBatch };
        server.Store.IsClockStopped = true;
        replay.Apply(Recorded(), nameof(EffectTape), 0);
        replay.Settle();
        server.Store.IsClockStopped = false;
    }

    // As a log has them: one behind the other, with a SELECT where the database changes.
    private byte[] Recorded()
    {
        MemoryStream all = new();
        int selected = -1;
        foreach ((int database, byte[] effect) in _effects)
        {
            if (database != selected)
            {
                string index = database.ToString(CultureInfo.InvariantCulture);
                all.Write(Encoding.ASCII.GetBytes($"*2\r\n$6\r\nSELECT\r\n${index.Length}\r\n{index}\r\n"));
            }

            selected = database;
            all.Write(effect);
        }

        return all.ToArray();
    }

    public override string ToString() =>
        string.Join(Environment.NewLine, _effects.Select(each => $"{each.Database}: {RespText.Quote(each.Effect)}"));
}
