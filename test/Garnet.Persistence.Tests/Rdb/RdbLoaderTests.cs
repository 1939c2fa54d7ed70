// Loading files into a store: what is loaded, what is rejected, and where.
using System.Text;
using Garnet.Persistence.Rdb;
using Garnet.Store.Eviction;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Persistence.Tests.Rdb;

public sealed class RdbLoaderTests(ITestOutputHelper output)
{
    [Fact]
    public void Keys_of_all_databases_are_loaded_with_their_expiries()
    {
        byte[] file = new RdbFileBuilder()
            .Select(0)
            .String("a", "1")
            .String("b", "text", LoadedStore.NowMs + 5)
            .Select(7)
            .String("a", "other")
            .String("", "")
            .Finish();
        using var store = new LoadedStore();
        RdbLoadResult result = store.Load(file);
        Assert.Equal((4, 0, 10, true), (result.Keys, result.ExpiredKeys, result.Version, result.IsChecked));
        Assert.Equal(file.Length, result.Bytes);
        Assert.Equal("1", store.Get(0, "a"));
        Assert.Equal(("text", LoadedStore.NowMs + 5), (store.Get(0, "b"), store.ExpiryOf(0, "b")));
        Assert.Equal("other", store.Get(7, "a"));
        Assert.Equal("", store.Get(7, ""));
        Assert.Equal(2, store.Store.Databases.KeyCount(0));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void Many_keys_of_all_sizes_are_loaded(int workers)
    {
        var random = new Random(TestSeed.Choose(output, 1));
        var expected = new Dictionary<string, string>();
        RdbFileBuilder builder = new RdbFileBuilder(compress: workers == 1).Select(0);
        for (int i = 0; i < 30_000; i++)
        {
            string key = i % 3 == 0 ? $"{i}" : $"key:{i}" + new string('x', random.Next(300));
            int length = random.Next(1000) switch
            {
                0 => random.Next(70_000),
                1 when i % 10 == 0 => random.Next(1_000_000, 3_000_000),
                _ => random.Next(200),
            };
            string value = random.Next(3) == 0 ? $"{random.Next()}" : new string((char)random.Next('a', 'z'), length);
            expected.Add(key, value);
            builder.String(key, value);
        }

        using var store = new LoadedStore();
        RdbLoadResult result = store.Load(builder.Finish(), workers);
        Assert.Equal(expected.Count, result.Keys);
        foreach ((string key, string value) in expected)
            Assert.Equal(value, store.Get(0, key));
    }

    [Fact]
    public void A_string_larger_than_any_buffer_is_loaded_plain_or_compressed()
    {
        byte[] value = new byte[5_000_000];
        new Random(1).NextBytes(value);
        RdbFileBuilder builder = new RdbFileBuilder().Select(0).String("before", "1");
        builder.Writer.BeginLargeString("plain"u8, value.Length, -1);
        builder.Writer.WriteRaw(value);
        builder.String(new string('k', 2_000_000), "77");
        builder.String("zeros", new string('\0', 200_000_000 / 2)).String("after", "2");
        using var store = new LoadedStore();
        Assert.Equal(5, store.Load(builder.Finish()).Keys);
        Assert.Equal("77", store.Get(0, new string('k', 2_000_000)));
        Assert.Equal(Encoding.Latin1.GetString(value), store.Get(0, "plain"));
        Assert.Equal(100_000_000, store.Get(0, "zeros")!.Length);
        Assert.Equal("2", store.Get(0, "after"));
    }

    [Fact]
    public void Expired_keys_are_left_out_unless_they_are_to_be_kept()
    {
        byte[] file = new RdbFileBuilder()
            .Select(0)
            .String("past", "1", LoadedStore.NowMs - 1)
            .String("now", "2", LoadedStore.NowMs)
            .Raw("FD 01000000 00 0173 0174")
            .Finish();
        using var store = new LoadedStore();
        RdbLoadResult result = store.Load(file);
        Assert.Equal((1, 2), (result.Keys, result.ExpiredKeys));
        Assert.Equal("2", store.Get(0, "now"));
        using var replica = new LoadedStore();
        Assert.Equal(3, replica.Load(file, options: new RdbLoadOptions { KeepsExpired = true }).Keys);
    }

    [Fact]
    public void Properties_functions_and_hints_are_reported_or_skipped()
    {
        var builder = new RdbFileBuilder();
        builder.Writer.WriteAux("redis-ver"u8, "7.0.15"u8);
        builder.Writer.WriteAux("ctime"u8, 123456);
        builder
            .Select(2)
            .Raw("FB 02 01")
            .Raw("F4 05 06 07")
            .Raw("F5 04 23216C75")
            .Raw("F7 81 0102030405060708 02 01 02 80FFFFFFFF 03 00000000 04 0000000000000000 05 0161 00");
        builder.Raw("F8 05").Raw("F9 C8").String("k", "v").Raw("F7 01 00");
        using var store = new LoadedStore();
        RdbLoadResult result = store.Load(builder.Finish());
        Assert.Equal("7.0.15", result.Aux["redis-ver"]);
        Assert.Equal("123456", result.Aux["ctime"]);
        Assert.Equal("#!lu", Encoding.ASCII.GetString(Assert.Single(result.Functions)));
        Assert.Equal("v", store.Get(2, "k"));
    }

    [Fact]
    public void A_file_without_a_checksum_is_loaded()
    {
        using var store = new LoadedStore();
        RdbLoadResult result = store.Load(new RdbFileBuilder().Select(0).String("k", "v").Finish(checksum: 0));
        Assert.False(result.IsChecked);
        Assert.Equal("v", store.Get(0, "k"));
        byte[] old = [.. "REDIS0004"u8, 0xFE, 0, 0, 1, (byte)'k', 1, (byte)'v', 0xFF];
        using var other = new LoadedStore();
        Assert.Equal(1, other.Load(old).Keys);
    }

    [Theory]
    [InlineData("", "FF", "checksum", 10)]
    [InlineData("FE 10", "", "only 16 databases are configured", 11)]
    [InlineData("FE 00 00 016B", "", "ends early", 14)]
    [InlineData("FE 00 00 016B 80 7FFEFFFF 61", "", "less follows", 19)]
    [InlineData("FE 00 00 016B C3 05 8070000000 61626364", "", "impossible", 16)]
    [InlineData("FE 00 00 016B C3 04 08 21616263", "", "compressed string is damaged", 16)]
    [InlineData("FE 00 00 016B C4", "", "encoding 4 is unknown", 15)]
    [InlineData("FE 00 00 016B 82", "", "encoding 130 is unknown", 15)]
    [InlineData("FE 00 1A 016B 00", "", "type 26 is unknown", 14)]
    [InlineData("FE 00 F3", "", "slots", 12)]
    [InlineData("FE 00 F6", "", "release candidate", 12)]
    [InlineData("FE 00 FC 0000000000000000 FE", "", "a key is expected", 21)]
    [InlineData("FE 00 00 016B 0161 00 016B 0162", "", "twice", 0)]
    [InlineData("FE 00 00 016B 80 7FFF0000", "", "A string of 2147418112 bytes is too long", 15)]
    [InlineData("FE 00 00 80 7FFF0000", "", "A string of 2147418112 bytes is too long", 13)]
    [InlineData("FE 00 00 016B C3 80 7FFF0000 0A 00", "", "lengths are impossible", 15)]
    [InlineData("FE 00 00 016B C3 81 0000000100000002 0A 0061", "", "lengths are impossible", 15)]
    [InlineData("FE 00 00 016B C3 80 40000000 80 7FFF0000 00", "", "lengths are impossible", 15)]
    public void Invalid_data_is_rejected_with_its_offset(string bytes, string damage, string reason, long leastOffset)
    {
        byte[] file = new RdbFileBuilder().Raw(bytes).Finish(damage.Length > 0 ? 5UL : null);
        using var store = new LoadedStore();
        RdbFormatException error = Assert.Throws<RdbFormatException>(() =>
            store.Load(bytes.EndsWith("016B", StringComparison.Ordinal) ? file[..^9] : file)
        );
        Assert.Contains(reason, error.Message, StringComparison.OrdinalIgnoreCase);
        Assert.InRange(error.Offset, leastOffset, file.Length);
    }

    [Theory]
    [InlineData("", "too short")]
    [InlineData("REDIS001", "too short")]
    [InlineData("HELLO0010", "not an RDB file")]
    [InlineData("REDIS0000", "version 0")]
    [InlineData("REDIS00x0", "not a number")]
    [InlineData("REDIS0080", "version 80")]
    [InlineData("VALKEY011", "version 11")]
    [InlineData("VALKEY999", "version 999")]
    public void Other_files_are_refused(string header, string reason)
    {
        using var store = new LoadedStore();
        RdbFormatException error = Assert.Throws<RdbFormatException>(() => store.Load([.. Encoding.ASCII.GetBytes(header)]));
        Assert.Contains(reason, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_cut_off_anywhere_is_refused()
    {
        byte[] file = SmallFile();
        for (int length = 0; length < file.Length; length++)
        {
            using var store = new LoadedStore();
            Assert.Throws<RdbFormatException>(() => store.Load(file[..length], workers: 1));
        }
    }

    // One bit of each byte, all of them in full runs.
    [Fact]
    public void A_flipped_bit_anywhere_is_detected()
    {
        Random random = new(TestSeed.ChooseAnew(output));
        byte[] file = SmallFile();
        int[] bits = [0, 1, 2, 3, 4, 5, 6, 7];
        for (int at = 0; at < file.Length; at++)
        {
            foreach (int bit in FaultScale.IsFull ? bits : [random.Next(bits.Length)])
            {
                byte[] damaged = [.. file];
                damaged[at] ^= (byte)(1 << bit);
                using var store = new LoadedStore();
                Assert.Throws<RdbFormatException>(() => store.Load(damaged, workers: 1));
            }
        }
    }

    [Theory]
    [InlineData(EvictionPolicy.NoEviction)]
    [InlineData(EvictionPolicy.AllKeysLru)]
    [InlineData(EvictionPolicy.AllKeysLfu)]
    public void Idle_times_and_frequencies_in_a_file_are_used_if_the_policy_needs_them(EvictionPolicy policy)
    {
        string large = new('v', 2_000_000);
        RdbFileBuilder builder = new RdbFileBuilder(compress: false).Select(0).String("plain", "1");
        foreach ((string key, Action write) in KeysOfAllKinds(builder, large))
        {
            builder.Writer.WriteIdle(key.Length * 600);
            builder.Writer.WriteFrequency((byte)(100 + key.Length));
            write();
        }

        using var store = new LoadedStore();
        store.Store.Eviction = new EvictionSettings { Policy = policy };
        Assert.Equal(5, store.Load(builder.Finish()).Keys);
        foreach (string key in KeysOfAllKinds(builder, large).Select(static each => each.Key))
        {
            if (policy == EvictionPolicy.AllKeysLfu)
                Assert.Equal(100 + key.Length, store.AccessOf(key));
            else
                Assert.Equal(key.Length * 600, store.IdleSecondsOf(key));
        }

        if (policy != EvictionPolicy.AllKeysLfu)
            Assert.Equal(0, store.IdleSecondsOf("plain"));
    }

    private static (string Key, Action Write)[] KeysOfAllKinds(RdbFileBuilder builder, string large) =>
        [
            ("s", () => builder.String("s", "text")),
            ("big", () => builder.String("big", large)),
            ("list", () => builder.Raw("01 04 6C697374 01 0161")),
            ("stream", () => builder.Raw("0F 06 73747265616D 00 00 00 00 00")),
        ];

    [Fact]
    public void A_cancelled_load_is_reported()
    {
        using var store = new LoadedStore();
        using var cancel = new CancellationTokenSource();
        cancel.Cancel();
        Assert.ThrowsAny<OperationCanceledException>(() =>
            new RdbLoader(store.Store, new RdbLoadOptions()).Load(new MemoryStream(SmallFile()), cancel.Token)
        );
    }

    private static byte[] SmallFile()
    {
        var builder = new RdbFileBuilder();
        builder.Writer.WriteAux("redis-ver"u8, "7.0.0"u8);
        return builder
            .Select(0)
            .String("k1", "12345")
            .String("k2", "some text", LoadedStore.NowMs + 1000)
            .String("k3", new string('z', 50))
            .Select(1)
            .String("k1", "x")
            .Finish();
    }

    // A string, the end marker, no checksum; then a type that no version has.
    [Theory]
    [InlineData("VALKEY081", false, true, null)]
    [InlineData("VALKEY999", false, true, null)]
    [InlineData("VALKEY081", true, true, "type")]
    [InlineData("VALKEY081", false, false, "The file's version 81 is unknown")]
    [InlineData("REDIS0081", false, true, "The file's version 81 is unknown")]
    public void A_file_of_a_later_Valkey_is_read_on_request_as_far_as_its_types_are_known(
        string header,
        bool hasUnknownType,
        bool isRelaxed,
        string? problem
    )
    {
        byte[] file =
        [
            .. Encoding.ASCII.GetBytes(header),
            (byte)(hasUnknownType ? 99 : 0),
            1,
            (byte)'k',
            1,
            (byte)'v',
            0xFF,
            .. new byte[8],
        ];
        using LoadedStore store = new();
        RdbLoadOptions options = new() { Workers = 1, TakesLaterVersions = isRelaxed };
        if (problem is null)
        {
            Assert.Equal(1, store.Load(file, options: options).Keys);
            Assert.Equal("v", store.Get(0, "k"));
        }
        else
        {
            Assert.Contains(
                problem,
                Assert.Throws<RdbFormatException>(() => store.Load(file, options: options)).Message,
                StringComparison.Ordinal
            );
        }
    }
}
