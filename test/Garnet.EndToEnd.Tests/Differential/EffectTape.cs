// A write sink that keeps effects to carry them out elsewhere. Any thread appends.
using System.Buffers;
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
    public void Replay(RespServer server)
    {
        using StoreSession session = server.Store.OpenSession();
        server.Store.FlushAll(session);
        using EffectReplay replay = new(server);
        server.Store.IsClockStopped = true;
        foreach ((int database, byte[] effect) in _effects)
        {
            replay.Select(database);
            if (replay.Apply(effect) is { } problem)
                throw new InvalidDataException($"{problem}: {Encoding.Latin1.GetString(effect)}");
        }

        server.Store.IsClockStopped = false;
    }

    public override string ToString() =>
        string.Join(Environment.NewLine, _effects.Select(each => $"{each.Database}: {RespText.Quote(each.Effect)}"));
}
