// The effects that a client's current command or transaction has gathered. Part of a ClientSession; used by its thread.
using Garnet.Engine.Requests;

namespace Garnet.Engine.Execution;

/// <summary>Effects that wait until the command or the transaction is done; the buffer is made when one is gathered.</summary>
internal struct ClientPropagation
{
    private EffectBuffer? _effects;

    /// <summary>The client's changes that are durable, or were made while durability is not awaited.</summary>
    public long SettledChanges;

    /// <summary>Where they go.</summary>
    public EffectSink Sink { get; set; }

    /// <summary>Whether the client is the connection to a primary.</summary>
    public readonly bool IsOfPrimary => Sink.FollowsCommands;

    /// <summary>The buffer.</summary>
    public EffectBuffer Effects => _effects ??= new EffectBuffer();

    /// <summary>Whether anything was ever gathered.</summary>
    public readonly bool HasEffects => _effects is not null;

    /// <summary>Position in the stream after the client's last write, for WAIT.</summary>
    public long LastWrite { get; set; }

    /// <summary>Whether an effect that is gathered is one that only replicas of Valkey 9.0 or later understand.</summary>
    public bool NeedsNewReplicas { get; set; }

    /// <summary>Whether a script was ended after it had written: what was gathered is half a change, and the server ends.</summary>
    public bool IsHalf { get; set; }

    /// <summary>Bytes of effects gathered so far.</summary>
    public readonly int Bytes => _effects?.Bytes ?? 0;

    /// <summary>Passes the collected effects on as one unit and clears them; several are wrapped in MULTI and EXEC.</summary>
    public readonly void Commit(ClientSession client, int database)
    {
        if (_effects is not { } effects || effects.Written.IsEmpty)
            return;
        if (effects.Count > 1)
            effects.WrapInMultiExec();
        Sink.Commit(client, database, effects.Written);
        effects.Clear();
    }

    /// <summary>Discards effects that are not to be propagated.</summary>
    public readonly void Discard() => _effects?.Clear();
}
