// Random histories of the HyperLogLog commands, with the stored bytes read back. One thread.
namespace Garnet.EndToEnd.Tests.Differential.Generators;

internal sealed class HyperLogLogCommands(ArgumentSource source, Dialect dialect) : CommandGenerator(source, dialect)
{
    public override void Next()
    {
        switch (Source.Random.Next(30))
        {
            case <= 8:
                Emit("PFADD", Source.Key(), Elements());
                break;
            case <= 14:
                Emit("PFCOUNT", Source.Keys(4));
                break;
            case <= 18:
                Emit("PFMERGE", Source.Keys(5));
                break;
            case <= 21:
                Emit("GET", Source.Key());
                break;
            case 22:
                Emit("PFDEBUG", Source.Token(Source.Pick("ENCODING", "DECODE", "TODENSE", "BOGUS")), Source.Key());
                break;
            case 23:
                Emit("STRLEN", Source.Key());
                break;
            case 24:
                // Within the header of 16 bytes: for corrupt registers, a reference's reply depends on the order of its checks.
                EmitInOrder("SETRANGE", Source.Key(), Source.Random.Next(13), Source.Binary(Source.Random.Next(1, 4)));
                break;
            case 25:
                Emit("SET", Source.Key(), Source.Value());
                break;
            case 26:
                Emit("APPEND", Source.Key(), Source.Value());
                break;
            case 27:
                Emit("COPY", Source.Key(), Source.Key(), Source.Token("REPLACE"));
                break;
            default:
                Emit("DEL", Source.Key());
                break;
        }
    }

    private byte[][] Elements()
    {
        int count = Source.Random.Next(12) switch
        {
            0 => 0,
            1 => Source.Random.Next(100, 400),
            _ => Source.Random.Next(1, 8),
        };
        return
        [
            .. Enumerable
                .Range(0, count)
                .Select(_ =>
                    Source.OneIn(10) ? Source.Value() : ArgumentSource.Bytes(FormattableString.Invariant($"e{Source.Random.Next(3000)}"))
                ),
        ];
    }
}
