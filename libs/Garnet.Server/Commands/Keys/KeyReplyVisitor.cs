// Writes the keys of an iteration as bulk replies. Lives on the stack of one command.
using Garnet.Protocol;
using Garnet.Server.CommandModel;
using Garnet.Store;

namespace Garnet.Server.Commands.Keys;

/// <summary>
/// Writes each visited key that passes the filters. Holds the writer by value, since it cannot be referenced; the caller takes it back from
/// <see cref="Reply"/> when it writes on.
/// </summary>
internal ref struct KeyReplyVisitor(RespWriter reply) : IKeyVisitor
{
    /// <summary>The reply.</summary>
    public RespWriter Reply = reply;

    /// <summary>Pattern the keys must match, when <see cref="HasPattern"/>.</summary>
    public ReadOnlySpan<byte> Pattern { get; init; }

    /// <summary>The pattern prepared for many keys; null when that does not pay.</summary>
    public GlobMatcher? Matcher { get; init; }

    /// <summary>Whether there is a pattern; an empty one matches the empty key only.</summary>
    public bool HasPattern { get; init; }

    /// <summary>Type the keys must have; null for any.</summary>
    public RecordType? Type { get; init; }

    /// <summary>Removes the expired keys that pass the filters; null where they are not looked at.</summary>
    public StoreSession? Expiring { get; init; }

    /// <inheritdoc/>
    public readonly bool SeesExpired => Expiring is not null;

    /// <summary>Keys visited.</summary>
    public long Visited { get; private set; }

    /// <summary>Keys written.</summary>
    public int Written { get; private set; }

    /// <inheritdoc/>
    public void Visit(ReadOnlySpan<byte> key, in RecordInfo info)
    {
        Visited++;
        if (Type is { } type && type != info.Type)
            return;
        if (HasPattern && !(Matcher?.IsMatch(key) ?? GlobPattern.IsMatch(Pattern, key)))
            return;
        // Looking at an expired key removes it, unless expired keys are to stay for now.
        if (info.ExpiresAtMs >= 0 && Expiring is { } store && !store.Exists(key, store.Hash(key)))
            return;
        Reply.WriteBulk(key);
        Written++;
    }
}
