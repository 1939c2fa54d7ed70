// The patterns that clients have subscribed to, found by the name of a channel. Everything under the lock of its only shard.
using System.Runtime.InteropServices;
using Garnet.Store.Memory;

namespace Garnet.Server.Messaging;

/// <summary>
/// Patterns are indexed by the literal bytes before their first special character: a channel's name is hashed once for each length that
/// such a prefix has, and compared only with patterns that begin as it does.
/// </summary>
internal sealed class PatternTable
{
    // Longer prefixes are cut, so that a name is hashed at most this often.
    private const int MaxPrefixBytes = 32;

    private readonly KeyHash _hash;
    private readonly Dictionary<ulong, ReferenceSet<Topic>> _byPrefix = [];
    private readonly int[] _patternsByLength = new int[MaxPrefixBytes + 1];

    public PatternTable(KeyHash hash)
    {
        _hash = hash;
        Topics = new TopicTable(1, hash, static (pattern, hash) => new PatternTopic(pattern, hash));
    }

    /// <summary>The patterns by their text.</summary>
    public TopicTable Topics { get; }

    /// <summary>The lock.</summary>
    public Lock Gate => Topics.Shards[0].Gate;

    /// <summary>Finds a pattern or adds it.</summary>
    public Topic GetOrAdd(ReadOnlySpan<byte> pattern, int hash)
    {
        Topic topic = Topics.GetOrAdd(pattern, hash, out bool isNew);
        if (isNew)
        {
            CollectionsMarshal.GetValueRefOrAddDefault(_byPrefix, KeyOf(topic, out int length), out _).Add(topic);
            _patternsByLength[length]++;
        }

        return topic;
    }

    /// <summary>Removes a pattern that has no subscribers left.</summary>
    public void Remove(Topic topic)
    {
        Topics.Remove(topic);
        ulong key = KeyOf(topic, out int length);
        _patternsByLength[length]--;
        ref ReferenceSet<Topic> patterns = ref CollectionsMarshal.GetValueRefOrNullRef(_byPrefix, key);
        patterns.Remove(topic);
        if (patterns.Count == 0)
            _byPrefix.Remove(key);
    }

    /// <summary>Collects the patterns that match the name of a channel.</summary>
    public void Match(ReadOnlySpan<byte> channel, List<Topic> matches)
    {
        for (int length = 0; length <= Math.Min(channel.Length, MaxPrefixBytes); length++)
        {
            if (_patternsByLength[length] == 0)
                continue;
            ref ReferenceSet<Topic> patterns = ref CollectionsMarshal.GetValueRefOrNullRef(_byPrefix, KeyOf(channel[..length]));
            if (System.Runtime.CompilerServices.Unsafe.IsNullRef(ref patterns))
                continue;
            foreach (Topic? topic in patterns.Slots)
            {
                if (topic is PatternTopic pattern && pattern.IsMatch(channel))
                    matches.Add(pattern);
            }
        }
    }

    // Prefixes of the same hash share a set: each pattern is compared as a whole anyway.
    private ulong KeyOf(ReadOnlySpan<byte> prefix) => _hash.Compute(prefix);

    private ulong KeyOf(Topic topic, out int length)
    {
        length = Math.Min(((PatternTopic)topic).PrefixLength, MaxPrefixBytes);
        return KeyOf(topic.Name.AsSpan(0, length));
    }
}
