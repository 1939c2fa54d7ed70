// Random histories of writes to lists, hashes and sets, to test effects rather than replies. One thread.
namespace Garnet.EndToEnd.Tests.Differential.Generators;

internal sealed class CollectionWrites(ArgumentSource source, Dialect dialect) : CommandGenerator(source, dialect)
{
    private const string FarMs = "4102444800123";

    public override void Next()
    {
        switch (Source.Random.Next(12))
        {
            case <= 2:
                ListWrite();
                break;
            case <= 5:
                HashWrite();
                break;
            case <= 8:
                SetWrite();
                break;
            case 9:
                EmitExactly(Source.Pick("RENAME", "COPY", "COPY"), Any(), Any());
                break;
            case 10:
                EmitExactly(Source.Pick("DEL", "UNLINK", "PERSIST"), Any());
                break;
            default:
                Whole();
                break;
        }
    }

    private void Whole()
    {
        EmitExactly("MULTI");
        ListWrite();
        SetWrite();
        HashWrite();
        EmitExactly("EXEC");
    }

    private void ListWrite()
    {
        byte[] key = Named("l");
        switch (Source.Random.Next(14))
        {
            case <= 4:
                EmitExactly(Source.Pick("LPUSH", "RPUSH", "LPUSHX", "RPUSHX"), key, Members(5));
                break;
            case 5:
                EmitExactly(Source.Pick("LPOP", "RPOP"), key);
                break;
            case 6:
                EmitExactly(Source.Pick("LPOP", "RPOP"), key, Source.Random.Next(4));
                break;
            case 7:
                EmitExactly("LSET", key, Source.Random.Next(-3, 3), Member());
                break;
            case 8:
                EmitExactly("LINSERT", key, Source.Pick("BEFORE", "AFTER"), Member(), Member());
                break;
            case 9:
                EmitExactly("LREM", key, Source.Random.Next(-2, 3), Member());
                break;
            case 10:
                EmitExactly("LTRIM", key, Source.Random.Next(-8, 3), Source.Random.Next(-3, 12));
                break;
            case 11:
                EmitExactly("RPOPLPUSH", key, Named("l"));
                break;
            case 12:
                EmitExactly("LMOVE", key, Named("l"), Source.Pick("LEFT", "RIGHT"), Source.Pick("LEFT", "RIGHT"));
                break;
            default:
                EmitExactly("LMPOP", "2", key, Named("l"), Source.Pick("LEFT", "RIGHT"), "COUNT", Source.Random.Next(1, 4));
                break;
        }
    }

    private void HashWrite()
    {
        byte[] key = Named("h");
        switch (Source.Random.Next(16))
        {
            case <= 5:
                EmitExactly("HSET", key, Member(), Source.Value(), Member(), Source.Value());
                break;
            case 6:
                EmitExactly("HSETNX", key, Member(), Source.Value());
                break;
            case 7 or 8:
                EmitExactly("HDEL", key, Members(3));
                break;
            case 9:
                EmitExactly("HINCRBY", key, Member(), Source.Random.Next(-5, 5));
                break;
            case 10:
                EmitExactly("HINCRBYFLOAT", key, Member(), Source.Pick("0.1", "-3.25", "1e5"));
                break;
            case 11:
                EmitExactly("HPEXPIRE", key, Source.Random.Next(1, 60), "FIELDS", "2", Member(), Member());
                break;
            case 12:
                EmitExactly("HPEXPIREAT", key, FarMs, "FIELDS", "1", Member());
                break;
            case 13:
                EmitExactly("HPERSIST", key, "FIELDS", "1", Member());
                break;
            case 14:
                EmitExactly("HGETEX", key, Source.Pick<object[]>(["EX", "100"], ["PX", "20"], ["PERSIST"]), "FIELDS", "1", Member());
                break;
            default:
                EmitExactly(
                    "HSETEX",
                    key,
                    Source.Pick<object[]>(["EX", "100"], ["PX", "20"], ["KEEPTTL"]),
                    "FIELDS",
                    "1",
                    Member(),
                    Source.Value()
                );
                break;
        }
    }

    private void SetWrite()
    {
        byte[] key = Named("s");
        switch (Source.Random.Next(12))
        {
            case <= 4:
                EmitExactly("SADD", key, Members(6));
                break;
            case 5:
                EmitExactly("SREM", key, Members(3));
                break;
            case 6 or 7:
                EmitExactly("SPOP", key);
                break;
            case 8:
                EmitExactly("SPOP", key, Source.Random.Next(5));
                break;
            case 9:
                EmitExactly("SMOVE", key, Named("s"), Member());
                break;
            default:
                EmitExactly(Source.Pick("SINTERSTORE", "SUNIONSTORE", "SDIFFSTORE"), Named("s"), key, Named("s"));
                break;
        }
    }

    // Keys that the test expires occasionally, and others of each type.
    private byte[] Any() => Source.OneIn(3) ? Source.Key() : Named(Source.Pick("l", "h", "s"));

    private byte[] Named(string type) => Source.OneIn(6) ? Source.Key() : ArgumentSource.Bytes(type + Source.Random.Next(3));

    private byte[] Member() =>
        ArgumentSource.Bytes(Source.OneIn(10) ? "long member " + new string('m', Source.Random.Next(200)) : "m" + Source.Random.Next(12));

    private byte[][] Members(int most) => [.. Enumerable.Range(0, Source.Random.Next(1, most)).Select(_ => Member())];
}
