// Random histories of calls, transactions and scripts while the server's state and a user's rights change. One thread.
namespace Garnet.EndToEnd.Tests.Differential.Generators;

/// <summary>
/// One connection calls as an ordinary user; the other one raises and lowers what refuses commands: memory, missing replicas, being a
/// replica whose primary is away, rights. What is queued before a change is asked after it.
/// </summary>
internal sealed class ConditionCommands(ArgumentSource source, Dialect dialect) : CommandGenerator(source, dialect)
{
    private const int Caller = 0;
    private const int Operator = 1;

    private static readonly string[] Flags =
    [
        "",
        "#!lua\n",
        "#!lua flags=no-writes\n",
        "#!lua flags=allow-oom\n",
        "#!lua flags=allow-stale\n",
        "#!lua flags=no-writes,allow-stale\n",
    ];

    private static readonly string[] Bodies =
    [
        "return 1",
        "return redis.call('get', KEYS[1])",
        "return redis.call('set', KEYS[1], 'x')",
        "return redis.pcall('append', KEYS[1], 'x')",
        "return redis.call('del', KEYS[1])",
        "return redis.call('publish', 'c', 'm')",
    ];

    private bool _begun;

    public override int Connections => 2;

    public override void Next()
    {
        if (!_begun)
            Begin();
        if (Source.OneIn(6))
        {
            Connection = Operator;
            Change();
            return;
        }

        Connection = Caller;
        switch (Source.Random.Next(20))
        {
            case <= 2:
                EmitExactly("MULTI");
                break;
            case <= 5:
                EmitExactly("EXEC");
                break;
            case 6:
                EmitExactly("WATCH", Source.Keys(2));
                break;
            case 7:
                EmitExactly(Source.Pick("DISCARD", "UNWATCH"));
                break;
            case <= 9:
                Queue();
                break;
            default:
                Call();
                break;
        }
    }

    /// <summary>The next history begins by emptying the server, which a replica would refuse.</summary>
    protected override void Finish()
    {
        Connection = Operator;
        EmitExactly("CONFIG", "SET", "maxmemory", "0", "min-replicas-to-write", "0", "replica-read-only", "yes");
        EmitExactly("CONFIG", "SET", "replica-serve-stale-data", "yes");
        EmitExactly("REPLICAOF", "NO", "ONE");
        EmitExactly("ACL", "DELUSER", "caller");
    }

    private void Begin()
    {
        _begun = true;
        Connection = Operator;
        EmitExactly("ACL", "SETUSER", "caller", "reset", "on", ">secret", "~k*", "&*", "+@all");
        Connection = Caller;
        EmitExactly("AUTH", "caller", "secret");
    }

    // A transaction that is complete but for its end, which comes after a change.
    private void Queue()
    {
        EmitExactly("MULTI");
        for (int i = Source.Random.Next(1, 4); i > 0; i--)
            Call();
        Connection = Operator;
        for (int i = Source.Random.Next(1, 3); i > 0; i--)
            Change();
        Connection = Caller;
        EmitExactly("EXEC");
    }

    private void Change()
    {
        switch (Source.Random.Next(9))
        {
            case 0:
                EmitExactly("CONFIG", "SET", "maxmemory", "1");
                break;
            case 1:
                EmitExactly("CONFIG", "SET", "maxmemory", "0");
                break;
            case 2:
                EmitExactly("CONFIG", "SET", "min-replicas-to-write", Source.Pick("0", "1"));
                break;
            case 3:
                EmitExactly("REPLICAOF", "127.0.0.1", "1");
                break;
            case 4:
                EmitExactly("REPLICAOF", "NO", "ONE");
                break;
            case 5:
                EmitExactly("CONFIG", "SET", "replica-serve-stale-data", Source.Pick("yes", "no"));
                break;
            case 6:
                EmitExactly("CONFIG", "SET", "replica-read-only", Source.Pick("yes", "no"));
                break;
            case 7:
                EmitExactly("ACL", "SETUSER", "caller", Source.Pick("-set", "+set", "-@write", "+@all", "-exec", "-@scripting", "-multi"));
                break;
            default:
                EmitExactly("ACL", "SETUSER", "caller", "resetkeys", Source.Pick("~k*", "~k0", "%R~k*", "%W~k*"));
                break;
        }
    }

    private void Call()
    {
        switch (Source.Random.Next(24))
        {
            case <= 2:
                EmitExactly("SET", Source.Key(), "v");
                break;
            case <= 5:
                EmitExactly("GET", Source.Key());
                break;
            case 6:
                EmitExactly(Source.Pick("DEL", "UNLINK", "TOUCH", "EXISTS"), Source.Key());
                break;
            case 7:
                EmitExactly("APPEND", Source.Key(), "v");
                break;
            case 8:
                EmitExactly("GETEX", Source.Key(), "PERSIST");
                break;
            case 9:
                EmitExactly(Source.Pick("PFCOUNT", "TYPE", "STRLEN", "TTL"), Source.Key());
                break;
            case 10:
                EmitExactly("SORT", Source.Key(), "ALPHA", Source.Pick<object[]>([], ["STORE", "k5"]));
                break;
            case 11:
                EmitExactly("PING");
                break;
            case 12:
                EmitExactly("PUBLISH", "c", "m");
                break;
            case 13:
                EmitExactly(Source.Pick("FLUSHALL", "FLUSHDB", "DBSIZE"));
                break;
            case 14:
                EmitExactly("BLPOP", Source.Key(), "0.001");
                break;
            case 15:
                EmitExactly("NOSUCHCOMMAND");
                break;
            case 16:
                EmitExactly("GET");
                break;
            case 17:
                EmitExactly("CONFIG", "GET", "maxmemory-policy");
                break;
            default:
                EmitExactly(Source.Pick("EVAL", "EVAL", "EVAL_RO"), Source.Pick(Flags) + Source.Pick(Bodies), "1", Source.Key());
                break;
        }
    }
}
