// The number of nodes that Valkey's radix tree would have, maintained incrementally, compared with that of a tree that is actually built.
using System.Buffers.Binary;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Streams;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests.Collections;

public sealed class RadixShapeTests(ITestOutputHelper output)
{
    private const int KeyBytes = 16;

    [Fact]
    public void The_incremental_count_equals_the_full_one()
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime())
        {
            CollectionLimits = new CollectionLimits { StreamNodeMaxEntries = 1 },
        };
        using var client = new CollectionClient(store);
        var ids = new SortedSet<StreamId>();
        StreamId last = StreamId.Min;
        for (int i = 0; i < 3000; i++)
        {
            var stream = new StreamValue(client.Open("x"u8.ToArray()));
            if (random.Next(5) < 3 || ids.Count == 0)
            {
                // Distant and close ones, so that keys diverge at every byte.
                last =
                    random.Next(3) == 0
                        ? new StreamId(last.Milliseconds, last.Sequence + (ulong)random.NextInt64(1, 1L << random.Next(1, 40)))
                        : new StreamId(last.Milliseconds + (ulong)random.NextInt64(1, 1L << random.Next(1, 50)), (ulong)random.Next(3));
                stream.BeginEntry();
                stream.AddField("f"u8, "v"u8);
                stream.EndEntry(last);
                ids.Add(last);
            }
            else if (random.Next(3) == 0)
            {
                stream.TrimToLength(ids.Count - 1, isApproximate: false);
                ids.Remove(ids.Min);
            }
            else
            {
                StreamId some = ids.ElementAt(random.Next(ids.Count));
                stream.Delete(some);
                ids.Remove(some);
            }

            Assert.Equal(ids.Count, stream.View.Nodes);
            Assert.Equal(ids.Count == 0 ? 1 : CountNodes([.. ids.Select(KeyOf)], depth: 0), stream.View.RadixNodes);
        }

        client.EndCommand();
    }

    // One node for a run of bytes that all keys share, one where they diverge, and one at the end of each key. The keys are in order, so
    // that those with a common beginning are neighbours, and what the first and the last share, all do.
    private static int CountNodes(ReadOnlySpan<byte[]> keys, int depth)
    {
        if (depth == KeyBytes)
            return 1;

        int shared = depth + keys[0].AsSpan(depth).CommonPrefixLength(keys[^1].AsSpan(depth));
        if (shared > depth)
            return 1 + CountNodes(keys, shared);

        int nodes = 1;
        for (int first = 0, end; first < keys.Length; first = end)
        {
            byte way = keys[first][depth];
            for (end = first + 1; end < keys.Length && keys[end][depth] == way; end++) { }
            nodes += CountNodes(keys[first..end], depth + 1);
        }

        return nodes;
    }

    private static byte[] KeyOf(StreamId id)
    {
        byte[] key = new byte[KeyBytes];
        BinaryPrimitives.WriteUInt64BigEndian(key, id.Milliseconds);
        BinaryPrimitives.WriteUInt64BigEndian(key.AsSpan(8), id.Sequence);
        return key;
    }
}
