// Topics by name: a hash table in shards, each with its lock. Thread-safe.
using Garnet.Store.Memory;

namespace Garnet.Server.Messaging;

/// <summary>
/// The lock of a topic's shard is held while a message is passed to the lanes of its subscribers, and while its subscribers change; so a
/// message reaches exactly those who were subscribed when it was published.
/// </summary>
/// <param name="shards">Number of locks.</param>
/// <param name="hash">The hash of names.</param>
/// <param name="create">Creates a topic.</param>
internal sealed class TopicTable(int shards, KeyHash hash, Func<byte[], int, Topic> create)
{
    private readonly Shard[] _shards = [.. Enumerable.Range(0, shards).Select(static _ => new Shard())];
    private int _count;

    /// <summary>Topics with subscribers.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>The shards, to be locked one at a time.</summary>
    public ReadOnlySpan<Shard> Shards => _shards;

    /// <summary>The hash of a name.</summary>
    public int HashOf(ReadOnlySpan<byte> name) => (int)hash.Compute(name);

    /// <summary>The shard of a hash.</summary>
    public Shard ShardOf(int hash) => _shards[(uint)hash % (uint)_shards.Length];

    /// <summary>Finds a topic or adds it. Under the shard's lock.</summary>
    public Topic GetOrAdd(ReadOnlySpan<byte> name, int hash, out bool isNew)
    {
        Shard shard = ShardOf(hash);
        Topic? found = shard.Find(name, hash);
        isNew = found is null;
        if (found is not null)
            return found;
        Topic added = create(name.ToArray(), hash);
        shard.Add(added);
        Interlocked.Increment(ref _count);
        return added;
    }

    /// <summary>Removes a topic. Under the shard's lock.</summary>
    public void Remove(Topic topic)
    {
        ShardOf(topic.Hash).Remove(topic);
        Interlocked.Decrement(ref _count);
    }

    /// <summary>A part of the table. Everything under its lock.</summary>
    internal sealed class Shard
    {
        private const int FirstBuckets = 4;
        private Topic?[] _buckets = [];
        private int _count;

        /// <summary>Guards the shard, its topics, and the passing of messages to their lanes.</summary>
        public Lock Gate { get; } = new();

        /// <summary>Finds a topic; null when there is none.</summary>
        public Topic? Find(ReadOnlySpan<byte> name, int hash)
        {
            if (_count == 0)
                return null;
            Topic? topic = Bucket(hash);
            while (topic is not null && (topic.Hash != hash || !name.SequenceEqual(topic.Name)))
                topic = topic.Next;
            return topic;
        }

        /// <summary>All topics of the shard.</summary>
        public IEnumerable<Topic> Topics()
        {
            foreach (Topic? first in _buckets)
            {
                for (Topic? topic = first; topic is not null; topic = topic.Next)
                    yield return topic;
            }
        }

        internal void Add(Topic topic)
        {
            if (_count == _buckets.Length)
                Resize(Math.Max(FirstBuckets, _buckets.Length * 2));
            ref Topic? bucket = ref Bucket(topic.Hash);
            topic.Next = bucket;
            bucket = topic;
            _count++;
        }

        internal void Remove(Topic topic)
        {
            ref Topic? bucket = ref Bucket(topic.Hash);
            if (bucket == topic)
            {
                bucket = topic.Next;
            }
            else
            {
                Topic before = bucket!;
                while (before.Next != topic)
                    before = before.Next!;
                before.Next = topic.Next;
            }

            topic.Next = null;
            _count--;
            if (_buckets.Length > FirstBuckets && _count < _buckets.Length / 4)
                Resize(_buckets.Length / 2);
        }

        // The low bits have chosen the shard.
        private ref Topic? Bucket(int hash) => ref _buckets[(int)(((uint)hash * 0x9E3779B9u) >> 3) & (_buckets.Length - 1)];

        private void Resize(int buckets)
        {
            Topic?[] old = _buckets;
            _buckets = new Topic?[buckets];
            foreach (Topic? first in old)
            {
                for (Topic? topic = first; topic is not null; )
                {
                    Topic? next = topic.Next;
                    ref Topic? bucket = ref Bucket(topic.Hash);
                    topic.Next = bucket;
                    bucket = topic;
                    topic = next;
                }
            }
        }
    }
}
