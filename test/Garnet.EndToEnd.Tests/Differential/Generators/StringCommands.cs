// Random histories of the string commands. One thread.
namespace Garnet.EndToEnd.Tests.Differential.Generators;

internal sealed class StringCommands(ArgumentSource source, Dialect dialect) : CommandGenerator(source, dialect)
{
    public override void Next()
    {
        switch (Source.Random.Next(44))
        {
            case <= 6:
                Set();
                break;
            case <= 9:
                Emit("GET", Source.Key());
                break;
            case 10:
                Emit("GETSET", Source.Key(), Source.Value());
                break;
            case 11:
                Emit("SETNX", Source.Key(), Source.Value());
                break;
            case 12:
                EmitInOrder("SETEX", Source.Key(), Source.Seconds(), Source.Value());
                break;
            case 13:
                EmitInOrder("PSETEX", Source.Key(), Source.Milliseconds(), Source.Value());
                break;
            case 14 or 15:
                Emit(Source.Pick("MSET", "MSET", "MSETNX"), Pairs());
                break;
            case 16 or 17:
                Emit("MGET", Source.Keys(5));
                break;
            case 18 or 19:
                GetEx();
                break;
            case 20:
                Emit("GETDEL", Source.Key());
                break;
            case 21 or 22:
                Emit("APPEND", Source.Key(), Source.Value());
                break;
            case 23:
                Emit("STRLEN", Source.Key());
                break;
            case 24 or 25:
                Emit("SETRANGE", Source.Key(), SetRangeOffset(), Source.Value());
                break;
            case 26 or 27 or 28:
                Emit(Source.Pick("GETRANGE", "GETRANGE", "SUBSTR"), Source.Key(), Source.Integer(), Source.Integer());
                break;
            case 29 or 30:
                Emit(Source.Pick("INCR", "DECR"), Source.Key());
                break;
            case 31 or 32:
                Emit(Source.Pick("INCRBY", "DECRBY"), Source.Key(), Source.Integer());
                break;
            case 33 or 34 or 35:
                Emit("INCRBYFLOAT", Source.Key(), Source.Float());
                break;
            case 36 or 37:
                Lcs();
                break;
            case 38:
                Emit(Source.Pick("TTL", "PTTL", "EXPIRETIME", "PEXPIRETIME", "PERSIST"), Source.Key());
                break;
            case 39:
                Emit(Source.Pick("DEL", "EXISTS"), Source.Keys(3));
                break;
            case 40 when IsValkey:
                Encoding();
                break;
            default:
                ValkeyOnly();
                break;
        }
    }

    private void Set()
    {
        var options = new List<byte[]>();
        int count = Source.Pick(0, 0, 1, 1, 2, 2, 3, 4);
        for (int i = 0; i < count; i++)
            AddSetOption(options);
        EmitInOrder("SET", Source.Key(), Source.Value(), options);
    }

    private void AddSetOption(List<byte[]> options)
    {
        switch (Source.Random.Next(IsValkey ? 20 : 17))
        {
            case <= 2:
                options.Add(Source.Token("NX"));
                break;
            case <= 5:
                options.Add(Source.Token("XX"));
                break;
            case <= 8:
                options.Add(Source.Token("GET"));
                break;
            case <= 10:
                options.Add(Source.Token("KEEPTTL"));
                break;
            case 16:
                options.Add(Source.Pick(Source.Token("BOGUS"), [], Source.Token("PERSIST")));
                break;
            case >= 17:
                options.Add(Source.Token("IFEQ"));
                options.Add(Source.Value());
                break;
            default:
                AddExpiry(options);
                break;
        }
    }

    private void AddExpiry(List<byte[]> options)
    {
        string unit = Source.Pick("EX", "PX", "EXAT", "PXAT");
        options.Add(Source.Token(unit));
        if (!Source.OneIn(15))
            options.Add(Expiry(unit));
    }

    private byte[] Expiry(string unit) =>
        unit switch
        {
            "EX" => Source.Seconds(),
            "PX" => Source.Milliseconds(),
            "EXAT" => Source.UnixSeconds(),
            _ => Source.UnixMilliseconds(),
        };

    private void GetEx()
    {
        var options = new List<byte[]>();
        int count = Source.Pick(0, 1, 1, 1, 2);
        for (int i = 0; i < count; i++)
        {
            if (Source.OneIn(4))
                options.Add(Source.Token(Source.Pick("PERSIST", "KEEPTTL", "NX")));
            else
                AddExpiry(options);
        }

        EmitInOrder("GETEX", Source.Key(), options);
    }

    private List<byte[]> Pairs()
    {
        var pairs = new List<byte[]>();
        for (int i = Source.Random.Next(1, 5); i > 0; i--)
            pairs.AddRange([Source.Key(), Source.Value()]);
        return pairs;
    }

    // Offsets in between would grow a value by megabytes, which the transcripts would have to contain.
    private byte[] SetRangeOffset() =>
        ArgumentSource.Bytes(
            Source.Random.Next(8) switch
            {
                0 => Source.Pick(
                    "-1",
                    "abc",
                    "",
                    "536870912",
                    "9223372036854775807",
                    "-9223372036854775808",
                    "18446744073709551616",
                    "1.5",
                    "4294967296"
                ),
                1 => FormattableString.Invariant($"{Source.Random.Next(3000)}"),
                _ => FormattableString.Invariant($"{Source.Random.Next(30)}"),
            }
        );

    private void Lcs()
    {
        var options = new List<byte[]>();
        for (int i = Source.Random.Next(4); i > 0; i--)
        {
            string option = Source.Pick("LEN", "IDX", "IDX", "MINMATCHLEN", "WITHMATCHLEN", "BOGUS");
            options.Add(Source.Token(option));
            if (option == "MINMATCHLEN")
                options.Add(Source.Integer());
        }

        // The comparison of long binary values would take quadratic time, so short ones are set first.
        byte[] left = Source.Key();
        byte[] right = Source.Key();
        EmitExactly("SET", left, Letters());
        EmitExactly("SET", right, Letters());
        Emit("LCS", left, right, options);
    }

    private string Letters() => string.Concat(Enumerable.Range(0, Source.Random.Next(40)).Select(_ => (char)Source.Random.Next('a', 'e')));

    // Depends on whether the value was set or changed in place.
    private void Encoding()
    {
        byte[] key = Source.Key();
        if (Source.OneIn(2))
            EmitExactly("SET", key, Source.Value());
        EmitExactly("OBJECT", "ENCODING", key);
    }

    private void ValkeyOnly()
    {
        if (!IsValkey)
        {
            Set();
            return;
        }

        if (Source.OneIn(3))
        {
            Emit("DELIFEQ", Source.Key(), Source.Value());
            return;
        }

        List<byte[]> pairs = Pairs();
        var options = new List<byte[]>();
        for (int i = Source.Random.Next(3); i > 0; i--)
        {
            if (Source.OneIn(2))
                options.Add(Source.Token(Source.Pick("NX", "XX", "KEEPTTL", "BOGUS", "GET")));
            else
                AddExpiry(options);
        }

        object count = Source.OneIn(8) ? Source.Integer() : pairs.Count / 2;
        EmitInOrder("MSETEX", count, pairs, options);
    }
}
