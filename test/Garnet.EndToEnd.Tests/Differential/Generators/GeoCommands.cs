// Random histories of the geospatial commands. One thread.
using System.Globalization;

namespace Garnet.EndToEnd.Tests.Differential.Generators;

internal sealed class GeoCommands(ArgumentSource source, Dialect dialect) : CommandGenerator(source, dialect)
{
    private static readonly string[] Units = ["m", "km", "ft", "mi", "KM", "yd", ""];

    public override void Next()
    {
        switch (Source.Random.Next(40))
        {
            case <= 11:
                Add();
                break;
            case <= 14:
                Emit("GEOPOS", Source.Key(), Members());
                break;
            case <= 16:
                Emit("GEOHASH", Source.Key(), Members());
                break;
            case <= 19:
                Emit("GEODIST", Source.Key(), Member(), Member(), Source.OneIn(3) ? [] : new[] { Unit() });
                break;
            case <= 28:
                Search();
                break;
            case <= 31:
                Emit(
                    "GEOSEARCHSTORE",
                    Source.Key(),
                    Source.Key(),
                    Around(),
                    Area(),
                    Options(canReply: false),
                    Source.OneIn(3) ? new[] { Source.Token("STOREDIST") } : []
                );
                break;
            case <= 36:
                Radius();
                break;
            case 37:
                Emit(
                    "ZADD",
                    Source.Key(),
                    ArgumentSource.Bytes(
                        IsValkey && Source.OneIn(4)
                            ? Source.Pick("1e300", "-1e300")
                            : Source.Pick("0", "-5", "1e15", "4503599627370496", "9007199254740993", "3479099956230698")
                    ),
                    Member()
                );
                break;
            case 38:
                // Redis prints all 17 digits of a distance stored as a score.
                Emit(
                    "ZRANGE",
                    Source.Key(),
                    ArgumentSource.Bytes("0"),
                    ArgumentSource.Bytes("-1"),
                    IsValkey ? new[] { Source.Token("WITHSCORES") } : []
                );
                break;
            default:
                Emit(Source.Pick("DEL", "TYPE", "SET"), Source.Key(), Source.OneIn(2) ? new[] { Source.Value() } : []);
                break;
        }
    }

    private void Add()
    {
        var arguments = new List<byte[]>();
        foreach (string option in new[] { "NX", "XX", "CH" })
        {
            if (Source.OneIn(6))
                arguments.Add(Source.Token(option));
        }

        for (int i = Source.Random.Next(1, 5); i > 0; i--)
            arguments.AddRange([.. Place(), Member()]);
        if (Source.OneIn(20))
            arguments.RemoveAt(arguments.Count - 1);
        Emit("GEOADD", Source.Key(), arguments);
    }

    private void Search() => Emit("GEOSEARCH", Source.Key(), Around(), Area(), Options(canReply: true));

    private void Radius()
    {
        bool stores = Source.OneIn(3);
        byte[][] target = stores ? [Source.Token(Source.Pick("STORE", "STOREDIST")), Source.Key()] : [];
        string suffix = Source.OneIn(4) ? "_RO" : "";
        byte[][] options = Options(canReply: !stores || Source.OneIn(8));
        if (Source.OneIn(2))
            Emit("GEORADIUS" + suffix, Source.Key(), Place(), Length(), Unit(), options, target);
        else
            Emit("GEORADIUSBYMEMBER" + suffix, Source.Key(), Member(), Length(), Unit(), options, target);
    }

    private byte[][] Around() =>
        Source.Random.Next(12) switch
        {
            0 => [],
            1 => [Source.Token("FROMMEMBER"), Member(), Source.Token("FROMLONLAT"), .. Place()],
            <= 6 => [Source.Token("FROMLONLAT"), .. Place()],
            _ => [Source.Token("FROMMEMBER"), Member()],
        };

    private byte[][] Area() =>
        Source.Random.Next(IsValkey ? 14 : 12) switch
        {
            0 => [],
            1 => [Source.Token("BYRADIUS"), Length(), Unit(), Source.Token("BYBOX"), Length(), Length(), Unit()],
            <= 6 => [Source.Token("BYRADIUS"), Length(), Unit()],
            <= 11 => [Source.Token("BYBOX"), Length(), Length(), Unit()],
            _ => Polygon(),
        };

    private byte[][] Polygon()
    {
        int vertices = Source.Random.Next(2, 7);
        return
        [
            Source.Token("BYPOLYGON"),
            ArgumentSource.Bytes($"{(Source.OneIn(10) ? vertices + 1 : vertices)}"),
            .. Enumerable.Range(0, vertices).SelectMany(_ => Place()),
        ];
    }

    private byte[][] Options(bool canReply)
    {
        var options = new List<byte[]>();
        if (canReply)
            options.AddRange(new[] { "WITHCOORD", "WITHDIST", "WITHHASH" }.Where(_ => Source.OneIn(3)).Select(Source.Token));
        if (Source.OneIn(2))
            options.Add(Source.Token(Source.Pick("ASC", "DESC")));
        if (Source.OneIn(3))
        {
            options.AddRange([
                Source.Token("COUNT"),
                ArgumentSource.Bytes(Source.Pick("1", "2", "3", "10", "0", "-1", "abc", "9223372036854775807")),
            ]);
        }

        if (Source.OneIn(6))
            options.Add(Source.Token("ANY"));
        if (Source.OneIn(40))
            options.Add(Source.Token("BOGUS"));
        return [.. options];
    }

    private byte[] Length() =>
        ArgumentSource.Bytes(
            Source.Random.Next(10) switch
            {
                0 => Source.Pick("0", "-1", "abc", "nan", "1e9", "20000000", "0.001"),
                _ => (Math.Pow(10, Source.Random.NextDouble() * 7) / 10).ToString("R", CultureInfo.InvariantCulture),
            }
        );

    // Clusters, so that searches find matches, and positions all over the Earth.
    private byte[][] Place()
    {
        // Equal positions have equal distances, whose order depends on the sorting algorithm.
        if (Source.OneIn(8))
        {
            return Source.Pick<byte[][]>(
                [ArgumentSource.Bytes("13.361389"), ArgumentSource.Bytes("38.115556")],
                [ArgumentSource.Bytes("0"), ArgumentSource.Bytes("0")],
                [ArgumentSource.Bytes("179.9"), ArgumentSource.Bytes("-17")]
            );
        }

        byte[] random = Text((Source.Random.NextDouble() - 0.5) * 160);
        if (Source.OneIn(50))
            return [ArgumentSource.Bytes(Source.Pick("180", "-180", "180.1", "0", "abc", "inf", "nan", "1e300")), random];
        if (Source.OneIn(50))
            return [random, ArgumentSource.Bytes(Source.Pick("85.05112878", "-85.05112878", "86", "0", "-0", "90", "abc"))];
        double spread = Source.Pick(0.001, 0.1, 5, 180);
        (double longitude, double latitude) = Source.Pick((13.361389, 38.115556), (-122.4, 37.8), (179.9, -17.0), (10.0, 80.5), (0.0, 0.0));
        longitude = Math.Clamp(longitude + ((Source.Random.NextDouble() - 0.5) * spread), -180, 180);
        latitude = Math.Clamp(latitude + ((Source.Random.NextDouble() - 0.5) * spread), -85, 85);
        return [Text(longitude), Text(latitude)];
    }

    private static byte[] Text(double value) => ArgumentSource.Bytes(value.ToString("R", CultureInfo.InvariantCulture));

    private byte[] Unit() => ArgumentSource.Bytes(Source.OneIn(15) ? Source.Pick(Units) : Source.Pick("m", "km", "ft", "mi"));

    private byte[] Member() => Source.OneIn(20) ? Source.Value() : ArgumentSource.Bytes($"m{Source.Random.Next(24)}");

    private byte[][] Members() => [.. Enumerable.Range(0, Source.Random.Next(0, 4)).Select(_ => Member())];
}
