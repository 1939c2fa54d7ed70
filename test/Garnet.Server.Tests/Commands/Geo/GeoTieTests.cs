// Which of equally near members a search names first, and which it leaves out. One thread.
using System.Globalization;
using Xunit;

namespace Garnet.Server.Tests.Commands.Geo;

public sealed class GeoTieTests
{
    // Recorded from Valkey 9.1.2: only what is cut off is sorted otherwise than in the order found.
    [Theory]
    [InlineData(6, 1, 3, "ASC", "0 1 2")]
    [InlineData(7, 1, 3, "ASC", "3 1 2")]
    [InlineData(12, 1, 5, "ASC", "9 1 10 11 2")]
    [InlineData(12, 1, 12, "ASC", "0 1 10 11 2 3 4 5 6 7 8 9")]
    [InlineData(40, 2, 15, "ASC", "0 12 14 16 18 2 20 22 24 26 28 30 32 34 36")]
    [InlineData(41, 1, 6, "DESC", "9 1 10 11 12 13")]
    [InlineData(
        100,
        3,
        40,
        "DESC",
        "14 98 95 92 89 86 83 80 8 77 74 71 68 65 62 59 56 53 50 5 47 44 41 38 35 32 29 26 23 20 2 17 11 85 1 10 13 16 19 22"
    )]
    public void Equally_distant_members_are_cut_off_as_by_Valkey(int members, int places, int count, string order, string expected)
    {
        using InProcessServer server = new();
        for (int i = 0; i < members; i++)
            server.Call("GEOADD", "g", Text(i % places), "0", Text(i));
        string[] names = expected.Split(' ');
        Assert.Equal(
            Replies.Bulks(names),
            server.Call("GEOSEARCH", "g", "FROMLONLAT", "0", "0", "BYRADIUS", "1000", "km", "COUNT", Text(count), order)
        );
        Assert.Equal(
            Replies.Integer(count),
            server.Call("GEOSEARCHSTORE", "d", "g", "FROMLONLAT", "0", "0", "BYRADIUS", "1000", "km", "COUNT", Text(count), order)
        );
        foreach (string name in names)
            Assert.NotEqual(Replies.Null, server.Call("ZSCORE", "d", name));
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
