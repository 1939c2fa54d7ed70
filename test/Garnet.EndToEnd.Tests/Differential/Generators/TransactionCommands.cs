// Random histories of transactions across two connections. One thread.
namespace Garnet.EndToEnd.Tests.Differential.Generators;

internal sealed class TransactionCommands(ArgumentSource source, Dialect dialect) : CommandGenerator(source, dialect)
{
    public override int Connections => 2;

    public override void Next()
    {
        Connection = Source.Random.Next(2);
        switch (Source.Random.Next(40))
        {
            case <= 4:
                Emit("MULTI");
                break;
            case <= 8:
                Emit("EXEC");
                break;
            case 9:
                Emit("DISCARD");
                break;
            case <= 14:
                Emit("WATCH", Source.Keys(3));
                break;
            case 15:
                Emit("UNWATCH");
                break;
            case 16:
                Whole();
                break;
            case 17:
                Elsewhere();
                break;
            default:
                Body();
                break;
        }
    }

    // A watch, a change by the other connection (or none), and the transaction that must detect it.
    private void Whole()
    {
        int first = Connection;
        EmitExactly("WATCH", Source.Keys(3));
        if (Source.OneIn(2))
        {
            Connection = 1 - first;
            Body();
            Connection = first;
        }

        EmitExactly("MULTI");
        for (int i = Source.Random.Next(4); i > 0; i--)
            Body();
        EmitExactly("EXEC");
    }

    private void Elsewhere()
    {
        switch (Source.Random.Next(6))
        {
            case 0:
                Emit("SELECT", Source.Pick("0", "1", "16", "abc"));
                break;
            case 1:
                Emit("SWAPDB", "0", Source.Pick("1", "0", "99"));
                break;
            case 2:
                Emit(Source.Pick("FLUSHDB", "FLUSHALL"));
                break;
            case 3:
                Emit("MOVE", Source.Key(), "1");
                break;
            case 4:
                Emit("RESET");
                break;
            default:
                Emit("NOSUCHCOMMAND", Source.Value());
                break;
        }
    }

    private void Body()
    {
        switch (Source.Random.Next(24))
        {
            case <= 3:
                Emit("SET", Source.Key(), Source.Value());
                break;
            case <= 6:
                Emit("GET", Source.Key());
                break;
            case 7:
                Emit("DEL", Source.Keys(2));
                break;
            case 8:
                Emit("INCR", Source.Key());
                break;
            case 9:
                Emit("APPEND", Source.Key(), Source.Value());
                break;
            case 10:
                Emit("MSET", Source.Key(), Source.Value(), Source.Key(), Source.Value());
                break;
            case 11:
                Emit("MGET", Source.Keys(3));
                break;
            case 12:
                Emit("RENAME", Source.Key(), Source.Key());
                break;
            case 13:
                Emit("COPY", Source.Key(), Source.Key());
                break;
            case 14:
                EmitInOrder("EXPIRE", Source.Key(), Source.Seconds());
                break;
            case 15:
                Emit("PERSIST", Source.Key());
                break;
            case 16:
                Emit("TTL", Source.Key());
                break;
            case 17:
                Emit("PFADD", Source.Key(), Source.Value());
                break;
            case 18:
                Emit("SETRANGE", Source.Key(), Source.Random.Next(20), Source.Value());
                break;
            case 19:
                Emit("GETDEL", Source.Key());
                break;
            case 20:
                Emit("SETBIT", Source.Key(), Source.Random.Next(100), "1");
                break;
            case 21:
                Emit(
                    "RPUSH",
                    Source.Key(),
                    ArgumentSource.Bytes($"{Source.Random.Next(6)}"),
                    ArgumentSource.Bytes($"{Source.Random.Next(6)}")
                );
                break;
            case 22:
                Sort();
                break;
            default:
                Emit(Source.Pick("TOUCH", "EXISTS"), Source.Key());
                break;
        }
    }

    // The elements, and so the patterns, refer to keys that the command does not name.
    private void Sort()
    {
        List<byte[]> arguments = [Source.Token("ALPHA")];
        if (Source.OneIn(2))
            arguments.AddRange([Source.Token("BY"), ArgumentSource.Bytes(Source.Pick("k*", "k*->f", "nosort", "*"))]);
        if (Source.OneIn(2))
            arguments.AddRange([Source.Token("GET"), ArgumentSource.Bytes(Source.Pick("k*", "k*->f", "#"))]);
        if (Source.OneIn(3))
            arguments.AddRange([Source.Token("STORE"), Source.OneIn(4) ? Source.Token("STORE") : Source.Key()]);
        EmitExactly("SORT", Source.Key(), arguments);
    }
}
