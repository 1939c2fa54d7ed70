// Random histories of the bitmap commands. One thread.
namespace Garnet.EndToEnd.Tests.Differential.Generators;

internal sealed class BitmapCommands(ArgumentSource source, Dialect dialect) : CommandGenerator(source, dialect)
{
    public override void Next()
    {
        switch (Source.Random.Next(30))
        {
            case <= 4:
                Emit("SETBIT", Source.Key(), BitOffset(), Source.OneIn(12) ? Source.Integer() : Source.Pick("0", "1", "1"));
                break;
            case <= 7:
                Emit("GETBIT", Source.Key(), BitOffset());
                break;
            case <= 10:
                Emit("BITCOUNT", Source.Key(), Range(Source.Pick(0, 2, 2, 3)));
                break;
            case <= 14:
                Emit(
                    "BITPOS",
                    Source.Key(),
                    Source.OneIn(12) ? Source.Integer() : Source.Pick("0", "1"),
                    Range(Source.Pick(0, 1, 2, 2, 3))
                );
                break;
            case <= 18:
                Emit("BITOP", Source.Token(Source.Pick("AND", "OR", "XOR", "NOT", "AND", "OR", "BOGUS")), Source.Key(), Source.Keys(4));
                break;
            case <= 23:
                BitField();
                break;
            case 24 or 25:
                Emit("SET", Source.Key(), Source.OneIn(3) ? Source.Value() : Source.Binary(Source.Random.Next(1, 100)));
                break;
            case 26:
                Emit("APPEND", Source.Key(), Source.Value());
                break;
            case 27:
                Emit("DEL", Source.Key());
                break;
            default:
                Emit("GET", Source.Key());
                break;
        }
    }

    // A distant bit costs its whole prefix in memory and in the transcripts, so offsets are small or out of range.
    private byte[] BitOffset() =>
        ArgumentSource.Bytes(
            Source.Random.Next(8) switch
            {
                0 => Source.Pick(
                    "-1",
                    "abc",
                    "",
                    "4294967296",
                    "9223372036854775807",
                    "-9223372036854775808",
                    "18446744073709551616",
                    "1.5",
                    "#1"
                ),
                1 => FormattableString.Invariant($"{Source.Random.Next(20_000)}"),
                _ => FormattableString.Invariant($"{Source.Random.Next(100)}"),
            }
        );

    private List<byte[]> Range(int parts)
    {
        var range = new List<byte[]>();
        for (int i = 0; i < Math.Min(parts, 2); i++)
            range.Add(Source.Integer());
        if (parts == 3)
            range.Add(Source.Token(Source.Pick("BYTE", "BIT", "BIT", "BOGUS")));
        return range;
    }

    private void BitField()
    {
        var operations = new List<byte[]>();
        bool readOnly = Source.OneIn(4);
        for (int i = Source.Random.Next(0, 5); i > 0; i--)
        {
            string operation = readOnly && !Source.OneIn(6) ? "GET" : Source.Pick("GET", "SET", "INCRBY", "INCRBY", "OVERFLOW");
            operations.Add(Source.Token(operation));
            if (operation == "OVERFLOW")
            {
                operations.Add(Source.Token(Source.Pick("WRAP", "SAT", "FAIL", "FAIL", "BOGUS")));
                continue;
            }

            operations.Add(FieldType());
            operations.Add(FieldOffset());
            if (operation != "GET")
                operations.Add(Source.Integer());
        }

        Emit(readOnly ? "BITFIELD_RO" : "BITFIELD", Source.Key(), operations);
    }

    private byte[] FieldType() =>
        Source.OneIn(10)
            ? ArgumentSource.Bytes(Source.Pick("u64", "i0", "u0", "i65", "x8", "u", "", "i", "8", "i8x", "U8", "i-1", "i64"))
            : ArgumentSource.Bytes(
                Source.OneIn(2)
                    ? FormattableString.Invariant($"u{Source.Random.Next(1, 64)}")
                    : FormattableString.Invariant($"i{Source.Random.Next(1, 65)}")
            );

    private byte[] FieldOffset() =>
        Source.OneIn(3) ? ArgumentSource.Bytes(FormattableString.Invariant($"#{Source.Random.Next(20)}")) : BitOffset();
}
