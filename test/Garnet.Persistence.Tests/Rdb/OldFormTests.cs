// Encodings written by old servers, as hand-made bytes. Each test has its own store.
using Xunit;

namespace Garnet.Persistence.Tests.Rdb;

public sealed class OldFormTests
{
    // One entry of each kind: integers of 8, 16, 24, 32 and 64 bits, and of 4 bits within the kind; strings with lengths of 6, 14 and 32
    // bits.
    private const string ZipList =
        "4080800000007A000000090000FE8503C0393004F040E20105D015CD5B0706E0CB04FB711F0100000A40467878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787849FD02800000000361626309F0FEFFFFFF";

    private const string Pair = "10 10000000 0D000000 0200 00 0161 03 F6 FF";

    [Fact]
    public void A_ziplist_with_entries_of_every_kind_is_loaded()
    {
        using var store = new LoadedStore();
        string[] expected = ["-123", "12345", "123456", "123456789", "1234567890123", new('x', 70), "12", "abc", "-2"];
        store.Load(
            new RdbFileBuilder(6).Select(0).Raw("0A 0161" + ZipList).Raw("0E 0162 02" + ZipList + Pair).Raw("0E 0163 01" + Pair).Finish()
        );
        Assert.Equal(expected, store.ElementsOf(0, "a"));
        Assert.Equal([.. expected, "a", "5"], store.ElementsOf(0, "b"));
        Assert.Equal(["a", "5"], store.ElementsOf(0, "c"));
    }

    [Fact]
    public void Hashes_and_sorted_sets_are_loaded_from_ziplists_and_hashes_from_zipmaps()
    {
        using var store = new LoadedStore();
        byte[] file = new RdbFileBuilder(4)
            .Select(0)
            .Raw("0C 0161" + Pair)
            .Raw("0D 0162" + Pair)
            .Raw("09 0163 09 01 01 61 02 01 6262 78 FF")
            .Raw("09 0164" + ZipMap())
            .Finish();
        store.Load(file[..^8]);
        Assert.Equal(["a 5"], store.ElementsOf(0, "a"));
        Assert.Equal(["a 5 -1"], store.ElementsOf(0, "b"));
        Assert.Equal(["a bb -1"], store.ElementsOf(0, "c"));
        Assert.Equal([$"a {new string('y', 300)} -1"], store.ElementsOf(0, "d"));
    }

    // A value so long that its length takes five bytes.
    private static string ZipMap() => "4136 01 01 61 FE 2C010000 00" + string.Concat(Enumerable.Repeat("79", 300)) + "FF";
}
