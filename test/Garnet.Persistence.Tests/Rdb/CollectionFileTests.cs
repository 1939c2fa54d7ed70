// Collections through a store: loaded from a file, saved to another, loaded again; and files whose version is decided at their end.
using System.Text;
using Garnet.Persistence.Files;
using Garnet.Persistence.Rdb;
using Garnet.Persistence.Snapshots;
using Garnet.Store;
using Xunit;

namespace Garnet.Persistence.Tests.Rdb;

public sealed class CollectionFileTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-rdb-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData(0, 10)]
    [InlineData(3, 10)]
    [InlineData(3, 80)]
    [InlineData(2000, 10)]
    [InlineData(2000, 80)]
    [InlineData(200_000, 10)]
    [InlineData(200_000, 80)]
    public async Task Collections_of_all_types_and_sizes_are_saved_and_loaded(int elements, int version)
    {
        RdbFileBuilder builder = new RdbFileBuilder(version).Select(0).String("string", "text");
        if (elements > 0)
            WriteCollections(builder, elements, hasExpiries: version == 80);
        using var first = new LoadedStore();
        RdbLoadResult result = first.Load(builder.Finish());
        Assert.Equal(elements > 0 ? 5 : 1, result.Keys);
        string path = await Save(first.Store);
        using var second = new LoadedStore();
        byte[] saved = File.ReadAllBytes(path);
        Assert.Equal(version == 80 && elements > 0 ? "VALKEY080" : "REDIS0010", Encoding.ASCII.GetString(saved, 0, 9));
        result = second.Load(saved);
        Assert.True(result.IsChecked);
        Assert.Equal(elements > 0 ? 5 : 1, result.Keys);
        foreach (string key in elements > 0 ? new[] { "list", "set", "zset", "hash" } : [])
            Assert.Equal(first.ElementsOf(0, key), second.ElementsOf(0, key));
    }

    [Fact]
    public void Fields_and_hashes_that_have_expired_are_left_out()
    {
        byte[] file = new RdbFileBuilder(80)
            .Select(0)
            .Raw("16 0161 02 0166 0176 0100000000000000 0167 0177 FFFFFFFFFFFFFFFF")
            .Raw("16 0162 01 0166 0176 0100000000000000")
            .Finish();
        using var store = new LoadedStore();
        RdbLoadResult result = store.Load(file);
        Assert.Equal((1, 1), (result.Keys, result.ExpiredKeys));
        Assert.Equal(["g w -1"], store.ElementsOf(0, "a"));
    }

    [Fact]
    public void Collections_without_elements_are_left_out()
    {
        using var store = new LoadedStore();
        RdbLoadResult result = store.Load(
            new RdbFileBuilder()
                .Select(0)
                .Raw("01 0161 00 02 0162 00 04 0163 00 05 0164 00 0E 0165 00 14 0166 07 07000000 0000 FF")
                .String("k", "v")
                .Finish()
        );
        Assert.Equal((1, 6), (result.Keys, result.EmptyKeys));
    }

    [Fact]
    public void A_list_larger_than_any_buffer_is_loaded()
    {
        RdbFileBuilder builder = new RdbFileBuilder(compress: false).Select(0);
        builder.Writer.BeginKey(RdbType.List, "list"u8, -1);
        builder.Writer.WriteLength(3000);
        byte[] element = new byte[1000];
        for (int i = 0; i < 3000; i++)
            builder.Writer.WriteString(element);
        using var store = new LoadedStore();
        Assert.Equal(2, store.Load(builder.String("after", "1").Finish()).Keys);
        Assert.Equal(3000, store.ElementsOf(0, "list").Count);
    }

    private static void WriteCollections(RdbFileBuilder builder, int elements, bool hasExpiries)
    {
        RdbWriter writer = builder.Writer;
        writer.BeginKey(RdbType.List, "list"u8, LoadedStore.NowMs + 5);
        writer.WriteLength((ulong)elements);
        for (int i = 0; i < elements; i++)
            writer.WriteString(Encoding.ASCII.GetBytes(i % 3 == 0 ? $"{i}" : $"element {i}"));
        writer.BeginKey(RdbType.Set, "set"u8, -1);
        writer.WriteLength((ulong)elements);
        for (int i = 0; i < elements; i++)
            writer.WriteString(Encoding.ASCII.GetBytes($"member {i}"));
        writer.BeginKey(RdbType.SortedSet, "zset"u8, -1);
        writer.WriteLength((ulong)elements);
        for (int i = 0; i < elements; i++)
        {
            writer.WriteString(Encoding.ASCII.GetBytes($"member {i}"));
            writer.WriteDouble(i % 7 == 0 ? double.NegativeInfinity : i / 3.0);
        }

        writer.BeginKey(hasExpiries ? RdbType.HashExpiring : RdbType.Hash, "hash"u8, -1);
        writer.WriteLength((ulong)elements);
        for (int i = 0; i < elements; i++)
        {
            writer.WriteString(Encoding.ASCII.GetBytes($"field {i}"));
            writer.WriteString(Encoding.ASCII.GetBytes($"{i}"));
            if (hasExpiries)
                writer.WriteInt64(i % 2 == 0 ? -1 : LoadedStore.NowMs + i);
        }
    }

    private async Task<string> Save(HybridLogStore store)
    {
        string path = Path.Combine(_folder, "dump.rdb");
        var saver = new BackgroundSaver(store, new SystemDisk(), TimeProvider.System, static () => -1);
        using StoreSession session = store.OpenSession();
        Assert.True(saver.TryStart(session, new SaveRequest { Path = path, IsUrgent = true }, out Task<SaveOutcome> done));
        SaveOutcome outcome = await done;
        Assert.Equal((SaveResult.Success, null), (outcome.Result, outcome.Error));
        return path;
    }
}
