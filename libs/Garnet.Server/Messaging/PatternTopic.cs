// A pattern that clients have subscribed to. Matched under its table's lock.
using Garnet.Engine.Requests;

namespace Garnet.Server.Messaging;

/// <summary>Compiles its pattern when a channel's name is first compared with it, unless it is only a prefix.</summary>
internal sealed class PatternTopic : Topic
{
    private readonly bool _isPrefix;
    private GlobMatcher? _matcher;

    public PatternTopic(byte[] pattern, int hash)
        : base(pattern, hash)
    {
        int special = pattern.AsSpan().IndexOfAny("*?[\\"u8);
        PrefixLength = special < 0 ? pattern.Length : special;
        _isPrefix = special >= 0 && special == pattern.Length - 1 && pattern[special] == '*';
    }

    /// <summary>How many bytes at the start match only themselves.</summary>
    public int PrefixLength { get; }

    /// <summary>Whether it matches the name of a channel.</summary>
    public bool IsMatch(ReadOnlySpan<byte> channel)
    {
        // As in Valkey nothing but the empty pattern matches an empty name.
        if (_isPrefix)
            return !channel.IsEmpty && channel.StartsWith(Name.AsSpan(0, PrefixLength));
        if (Name.Length > GlobMatcher.MaxPatternBytes)
            return GlobPattern.IsMatch(Name, channel);
        return (_matcher ??= new GlobMatcher(Name)).IsMatch(channel);
    }
}
