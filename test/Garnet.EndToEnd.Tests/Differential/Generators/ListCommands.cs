// Random histories of the list commands. One thread.
namespace Garnet.EndToEnd.Tests.Differential.Generators;

internal sealed class ListCommands(ArgumentSource source, Dialect dialect) : CommandGenerator(source, dialect)
{
    public override void Next()
    {
        switch (Source.Random.Next(40))
        {
            case <= 8:
                Emit(Source.Pick("LPUSH", "RPUSH", "LPUSH", "RPUSH", "LPUSHX", "RPUSHX"), Source.Key(), Elements());
                break;
            case <= 11:
                Emit(Source.Pick("LPOP", "RPOP"), Source.Key(), Source.OneIn(2) ? Array.Empty<byte[]>() : [Source.Integer()]);
                break;
            case 12:
                Emit("LLEN", Source.Key());
                break;
            case <= 15:
                Emit("LRANGE", Source.Key(), Source.Integer(), Source.Integer());
                break;
            case 16 or 17:
                Emit("LINDEX", Source.Key(), Source.Integer());
                break;
            case 18:
                if (Source.OneIn(6))
                    Misplace();
                else
                    // The references truncate the index to 32 bits and change another element than the one named.
                    EmitInOrder("LSET", Source.Key(), Source.Pick("0", "1", "-1", "2", "-3", "50", "abc", "1.5"), Element());
                break;
            case 19 or 20:
                Emit("LINSERT", Source.Key(), Source.Token(Source.Pick("BEFORE", "AFTER", "AFTER", "BOGUS")), Element(), Element());
                break;
            case 21 or 22:
                EmitInOrder("LREM", Source.Key(), Bounded(), Element());
                break;
            case 23:
                Emit("LTRIM", Source.Key(), Source.Integer(), Source.Integer());
                break;
            case <= 26:
                Position();
                break;
            case 27 or 28:
                Emit("LMOVE", Source.Key(), Source.Key(), Ends(), Ends());
                break;
            case 29:
                Emit("RPOPLPUSH", Source.Key(), Source.Key());
                break;
            case <= 31:
                Emit("LMPOP", Several(), Count());
                break;
            case 32:
                EmitInOrder(Source.Pick("BLPOP", "BRPOP"), Source.Keys(3), Timeout());
                break;
            case 33:
                Wait();
                break;
            case 34:
                if (IsValkey)
                    Emit("OBJECT", "ENCODING", Source.Key());
                break;
            default:
                Other();
                break;
        }
    }

    // A large element that cannot be inserted only affects the encoding.
    private void Misplace()
    {
        byte[] key = Source.Key();
        byte[] large = ArgumentSource.Bytes(new string('x', 9000));
        if (Source.OneIn(2))
            EmitInOrder("LSET", key, "5000", large);
        else
            Emit("LINSERT", key, Source.Token("BEFORE"), ArgumentSource.Bytes("no such element"), large);
        if (IsValkey)
            Emit("OBJECT", "ENCODING", key);
    }

    private byte[] Element() => Source.OneIn(2) ? ArgumentSource.Bytes(Source.Pick("a", "b", "c", "1", "2", "-3", "")) : Source.Value();

    private byte[][] Elements() => [.. Enumerable.Range(0, Source.Random.Next(1, 6)).Select(_ => Element())];

    // Redis 7.0 accepts the lowest integer, which has no positive counterpart.
    private byte[] Bounded()
    {
        byte[] number = Source.Integer();
        return IsValkey || number.Length < "-9223372036854775808".Length ? number : ArgumentSource.Bytes("-7");
    }

    private byte[] Ends() => Source.Token(Source.OneIn(15) ? "UP" : Source.Pick("LEFT", "RIGHT"));

    private byte[] Timeout() =>
        ArgumentSource.Bytes(Source.Pick("0.001", "0.01", "1e-3", "0.0051", "abc", "-1", "1e400", "", "nan", "inf", "9223372036854775807"));

    private List<byte[]> Several()
    {
        byte[][] keys = Source.Keys(3);
        return [Source.OneIn(10) ? Source.Integer() : ArgumentSource.Bytes($"{keys.Length}"), .. keys, Ends()];
    }

    private List<byte[]> Count() => Source.OneIn(2) ? [] : [Source.Token("COUNT"), Source.Integer()];

    private void Position()
    {
        var options = new List<byte[]>();
        for (int i = Source.Random.Next(3); i > 0; i--)
            options.AddRange([Source.Token(Source.Pick("RANK", "COUNT", "MAXLEN", "RANK", "COUNT", "BOGUS")), Bounded()]);
        EmitInOrder("LPOS", Source.Key(), Element(), options);
    }

    private void Wait()
    {
        switch (Source.Random.Next(3))
        {
            case 0:
                EmitInOrder("BLMOVE", Source.Key(), Source.Key(), Ends(), Ends(), Timeout());
                break;
            case 1:
                EmitInOrder("BRPOPLPUSH", Source.Key(), Source.Key(), Timeout());
                break;
            default:
                EmitInOrder("BLMPOP", Timeout(), Several(), Count());
                break;
        }
    }

    private void Other()
    {
        switch (Source.Random.Next(6))
        {
            case 0:
                Emit("SET", Source.Key(), Source.Value());
                break;
            case 1:
                Emit("COPY", Source.Key(), Source.Key(), Source.Token("REPLACE"));
                break;
            case 2:
                Emit("RENAME", Source.Key(), Source.Key());
                break;
            case 3:
                Emit("TYPE", Source.Key());
                break;
            case 4:
                Emit("EXISTS", Source.Keys(3));
                break;
            default:
                Emit("DEL", Source.Key());
                break;
        }
    }
}
