// Random changes, freezes, releases and copies, compared with a list, for every order and with nodes so small that trees become deep.
using System.Buffers.Binary;
using System.Text;
using Garnet.Store.Collections.Trees;
using Garnet.Store.Memory;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests.Collections.Trees;

public sealed class TreeModelTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(256, 1_500, 30_000)]
    [InlineData(512, 2_000, 20_000)]
    [InlineData(TreeStore.DefaultNodeBytes, 3_000, 20_000)]
    public void A_tree_by_hash_equals_a_list(int nodeBytes, int target, int changes) =>
        Run(
            nodeBytes,
            target,
            changes,
            trees => trees.Hashes,
            random => HashEntry(random, target),
            trees => entry => trees.Hashes.Order.KeyOf(entry.AsSpan(0, entry[0] + 1))
        );

    [Theory]
    [InlineData(256, 1_500, 30_000)]
    [InlineData(512, 2_000, 20_000)]
    [InlineData(TreeStore.DefaultNodeBytes, 3_000, 20_000)]
    public void A_tree_by_score_equals_a_list(int nodeBytes, int target, int changes) =>
        Run(
            nodeBytes,
            target,
            changes,
            trees => trees.Scores,
            random => ScoreEntry(random, target),
            _ =>
                entry =>
                {
                    ulong score = ElementBytes.OrderedScore(entry, out int length);
                    return ScoreOrder.KeyOf(ElementBytes.Unorder(score), entry.AsSpan(length));
                }
        );

    [Theory]
    [InlineData(256, 1_500, 30_000)]
    [InlineData(TreeStore.DefaultNodeBytes, 3_000, 20_000)]
    public void A_tree_of_fingerprints_equals_a_list(int nodeBytes, int target, int changes) =>
        Run(
            nodeBytes,
            target,
            changes,
            trees => trees.Fingerprints,
            random => PrintEntry(random),
            _ =>
                entry =>
                    FingerprintOrder.KeyOf(
                        FingerprintOrder.PrintIn(entry),
                        ElementBytes.Unorder(ElementBytes.OrderedScore(FingerprintOrder.ScoreCodeIn(entry), out int _))
                    )
        );

    [Theory]
    [InlineData(256, 1_500, 30_000)]
    [InlineData(512, 2_000, 20_000)]
    [InlineData(TreeStore.DefaultNodeBytes, 3_000, 20_000)]
    public void A_tree_by_position_equals_a_list(int nodeBytes, int target, int changes) =>
        Run(nodeBytes, target, changes, trees => trees.Positions, PlaceEntry, _ => _ => default);

    [Theory]
    [InlineData(256, 1_500, 30_000)]
    [InlineData(TreeStore.DefaultNodeBytes, 3_000, 20_000)]
    public void A_tree_by_ID_equals_a_list(int nodeBytes, int target, int changes) =>
        Run(
            nodeBytes,
            target,
            changes,
            trees => trees.Ids,
            random => IdEntry(random, target),
            _ =>
                entry =>
                    IdOrder.KeyOf(BinaryPrimitives.ReadUInt64LittleEndian(entry), BinaryPrimitives.ReadUInt64LittleEndian(entry.AsSpan(8)))
        );

    private void Run<TOrder>(
        int nodeBytes,
        int target,
        int changes,
        Func<TreeStore, CountedTree<TOrder>> trees,
        Func<Random, byte[]> newEntry,
        Func<TreeStore, TreeModel<TOrder>.KeyMaker> keyOf
    )
        where TOrder : struct, ITreeOrder
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        using var blocks = new BlockHeap();
        using var forest = new TreeStore(blocks, (ulong)random.NextInt64(), nodeBytes);
        int levels = 0;
        using (var model = new TreeModel<TOrder>(forest, trees(forest), random, newEntry, keyOf(forest)))
        {
            for (int i = 0; i < changes; i++)
            {
                model.Change(i / 5000 % 3 == 2 ? 10 : target);
                levels = Math.Max(levels, model.Levels);
                switch (random.Next(300))
                {
                    case 0:
                        model.Freeze();
                        break;
                    case 1:
                        model.ReleaseOne();
                        break;
                    case 2:
                        forest.Reclaimer.Run(random.Next(100));
                        break;
                    case 3:
                        model.Copy();
                        break;
                    default:
                        break;
                }

                if (i % 2000 == 0)
                    model.VerifyAll();
            }

            model.VerifyAll();
        }

        output.WriteLine($"levels {levels}");
        Assert.True(levels >= (nodeBytes == 256 ? 3 : 2));
        while (forest.Reclaimer.Run(1000)) { }

        Assert.Equal(0, forest.Heap.LiveNodes);
        Assert.Equal(0, forest.RetiredBytes);
        Assert.Equal(0, forest.Heap.LiveBytes);
        Assert.Equal(0, blocks.LiveBlocks);
        forest.Heap.GiveBack(everything: true);
        Assert.Equal(0, forest.Bytes);
    }

    private static byte[] HashEntry(Random random, int target)
    {
        byte[] member = Encoding.ASCII.GetBytes("member:" + random.Next(target * 2));
        return Payload(random, [(byte)member.Length, .. member]);
    }

    private static byte[] ScoreEntry(Random random, int target)
    {
        byte[] member = Encoding.ASCII.GetBytes((random.Next(2) == 0 ? "a prefix longer than two words:" : "m") + random.Next(target / 4));
        byte[] score = random.Next(3) switch
        {
            0 => [(byte)(96 + random.Next(3))],
            1 => [192, (byte)random.Next(256)],
            _ =>
            [
                200,
                .. BitConverter.GetBytes(
                    random.Next(3) switch
                    {
                        0 => -0.0,
                        1 => double.NegativeInfinity,
                        _ => random.NextDouble() - 0.5,
                    }
                ),
            ],
        };
        return [.. score, .. member];
    }

    private static byte[] PrintEntry(Random random)
    {
        byte[] entry = new byte[FingerprintOrder.HashBytes];
        FingerprintOrder.WriteFingerprint(entry, (ulong)random.Next(100) << (random.Next(2) == 0 ? 57 : 20));
        return [.. entry, (byte)(96 + random.Next(64))];
    }

    private static byte[] PlaceEntry(Random random)
    {
        switch (random.Next(5))
        {
            case 0:
                return [(byte)(96 + random.Next(64))];
            case 1:
                return [(byte)(160 + random.Next(32)), (byte)random.Next(256)];
            case 2:
                int bytes = random.Next(8);
                return [(byte)(192 + bytes), .. RandomBytes(random, bytes + 1)];
            default:
                int length = random.Next(200) switch
                {
                    0 => 20_000,
                    < 3 => 2000,
                    < 12 => random.Next(300),
                    _ => random.Next(30),
                };
                byte[] text = RandomBytes(random, length);
                return length < 96 ? [(byte)length, .. text]
                    : length < 4096 ? [(byte)(208 + (length >> 8)), (byte)length, .. text]
                    : [224, .. BitConverter.GetBytes(length), .. text];
        }
    }

    private static byte[] RandomBytes(Random random, int length)
    {
        byte[] bytes = new byte[length];
        random.NextBytes(bytes);
        return bytes;
    }

    private static byte[] IdEntry(Random random, int target)
    {
        byte[] entry = new byte[IdOrder.IdBytes];
        BinaryPrimitives.WriteUInt64LittleEndian(entry, (ulong)random.Next(target / 2));
        BinaryPrimitives.WriteUInt64LittleEndian(entry.AsSpan(8), (ulong)random.Next(4));
        return Payload(random, entry);
    }

    // Mostly short, sometimes outside of the leaf, rarely in a block.
    private static byte[] Payload(Random random, byte[] key)
    {
        int length = random.Next(200) switch
        {
            0 => 20_000,
            < 3 => 2000,
            < 12 => random.Next(300),
            _ => random.Next(30),
        };
        byte[] entry = new byte[key.Length + length];
        random.NextBytes(entry);
        key.CopyTo(entry, 0);
        return entry;
    }
}
