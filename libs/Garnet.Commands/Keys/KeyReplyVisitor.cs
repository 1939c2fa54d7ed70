// Writes the keys of an iteration as bulk strings. Lives on the stack of one command.
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store;
using Garnet.Store.DataTypes;

namespace Garnet.Commands.Keys;

/// <summary>
/// Writes each visited key that passes the filters. Holds a copy of the writer, since a field cannot reference it; the caller takes it back
/// from <see cref="Reply"/> before it continues to write.
/// </summary>
internal ref struct KeyReplyVisitor(RespWriter reply) : IKeyVisitor
{
    public RespWriter Reply = reply;

    /// <summary>Pattern the keys must match, when <see cref="HasPattern"/>.</summary>
    public ReadOnlySpan<byte> Pattern { get; init; }

    /// <summary>The compiled pattern; null when compiling it is not worthwhile.</summary>
    public GlobMatcher? Matcher { get; init; }

    /// <summary>Whether there is a pattern; an empty one matches the empty key only.</summary>
    public bool HasPattern { get; init; }

    /// <summary>Type the keys must have; null for any. Requires <see cref="Expiring"/>.</summary>
    public DataType? Type { get; init; }

    /// <summary>The session that removes expired keys that pass the filters; null if they are only skipped.</summary>
    public StoreSession? Expiring { get; init; }

    /// <inheritdoc/>
    public readonly bool SeesExpired => Expiring is not null;

    /// <summary>Number of keys visited.</summary>
    public long Visited { get; private set; }

    /// <summary>Number of keys written.</summary>
    public int Written { get; private set; }

    /// <inheritdoc/>
    public void Visit(ReadOnlySpan<byte> key, in RecordInfo info)
    {
        Visited++;
        if (Type is not null && !IsOfType(key, info))
            return;
        if (HasPattern && !(Matcher?.IsMatch(key) ?? GlobPattern.IsMatch(Pattern, key)))
            return;
        // The lookup removes an expired key, unless active expiry is turned off.
        if (info.ExpiresAtMs >= 0 && Expiring is { } store && !store.Reads.Exists(key, store.Hash(key)))
            return;
        Reply.WriteBulk(key);
        Written++;
    }

    // Which custom type a value has stands in the value.
    private readonly bool IsOfType(ReadOnlySpan<byte> key, in RecordInfo info)
    {
        if (info.Type != Type!.RecordType || info.Type != RecordType.Custom)
            return info.Type == Type.RecordType;
        StoreSession session = Expiring!;
        DataTypeReader reader = new(session.Store.Types);
        return session.Reads.ReadAny(key, session.Hash(key), ref reader) == ReadOutcome.Found && reader.Type == Type;
    }
}
