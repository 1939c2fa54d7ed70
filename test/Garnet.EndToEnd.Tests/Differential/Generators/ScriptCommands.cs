// Random histories of scripts and functions. One thread.
using System.Buffers;
using System.Security.Cryptography;
using Garnet.Persistence.Rdb;

namespace Garnet.EndToEnd.Tests.Differential.Generators;

internal sealed class ScriptCommands(ArgumentSource source, Dialect dialect) : CommandGenerator(source, dialect)
{
    private const int FunctionOpcode = 245;
    private const int PayloadVersion = 10;

    private static readonly string[] Libraries = ["lib1", "lib2", "lib3"];
    private static readonly string[] Functions = ["f1", "f2", "f3", "f4", "f5"];

    private readonly ScriptText _text = new(source, dialect == Dialect.Valkey91);
    private readonly List<string> _scripts = ["return 1"];
    private bool _hasBegun;

    public override void Next()
    {
        // FLUSHALL, with which a history begins, keeps both.
        if (!_hasBegun)
        {
            _hasBegun = true;
            EmitExactly("SCRIPT", "FLUSH");
            EmitExactly("FUNCTION", "FLUSH");
        }

        switch (Source.Random.Next(30))
        {
            case <= 11:
                Eval();
                break;
            case <= 13:
                Emit(Source.OneIn(4) ? "EVALSHA_RO" : "EVALSHA", Hash(), KeysAndArguments());
                break;
            case <= 15:
                ScriptSubcommand();
                break;
            case <= 19:
                Emit(Source.OneIn(4) ? "FCALL_RO" : "FCALL", Source.OneIn(20) ? Source.Value() : Function(), KeysAndArguments());
                break;
            case <= 22:
                EmitExactly(
                    "FUNCTION",
                    Source.Subcommand("LOAD"),
                    Source.OneIn(2) ? [] : new object[] { Source.Name("REPLACE") },
                    Library()
                );
                break;
            case 23 or 24:
                FunctionSubcommand();
                break;
            case 25:
                Transaction();
                break;
            default:
                Data();
                break;
        }
    }

    // Redis reports a zero byte in a script otherwise, so there a key does not get into its place.
    private void Eval()
    {
        string name = Source.OneIn(6) ? "EVAL_RO" : "EVAL";
        if (IsValkey)
            Emit(name, Script(), KeysAndArguments());
        else
            EmitExactly(name, Script(), KeysAndArguments());
    }

    private string Script()
    {
        if (Source.OneIn(5))
            return Source.Pick<string>([.. _scripts]);
        string script = _text.Script();
        _scripts.Add(script);
        return script;
    }

    private string Library()
    {
        string[] functions = [.. Functions.Where(_ => Source.OneIn(3))];
        // Redis 7.0 reports these while it registers functions, not afterwards.
        if (IsValkey && Source.OneIn(20))
            functions = [.. functions, Source.Pick("", "a-b", "f1", "f1")];
        return _text.Library(Source.Pick(Libraries), functions);
    }

    private byte[] Function() => Source.Name(Source.Pick(Functions));

    private object[] KeysAndArguments()
    {
        int keys = Source.Random.Next(4);
        object number = Source.OneIn(25) ? Source.Integer() : keys;
        byte[][] arguments = [.. Enumerable.Range(0, Source.Random.Next(4)).Select(_ => Source.Value())];
        return [number, Enumerable.Range(0, keys).Select(_ => ArgumentSource.Bytes($"k{Source.Random.Next(6)}")).ToArray(), arguments];
    }

    private string Hash()
    {
        string text = Source.Pick<string>([.. _scripts]);
#pragma warning disable CA5350 // The protocol names scripts by this hash.
        string hash = Convert.ToHexStringLower(SHA1.HashData(ArgumentSource.Bytes(text)));
#pragma warning restore CA5350
        return Source.Random.Next(12) switch
        {
            0 => hash.ToUpperInvariant(),
            1 => hash[..39],
            2 => new string('0', 40),
            3 => hash[..39] + "z",
            _ => hash,
        };
    }

    private void ScriptSubcommand()
    {
        switch (Source.Random.Next(8))
        {
            case <= 2:
                EmitExactly("SCRIPT", Source.Subcommand("LOAD"), Script());
                break;
            case <= 4:
                EmitExactly(
                    "SCRIPT",
                    Source.Subcommand("EXISTS"),
                    Enumerable.Range(0, Source.Random.Next(3)).Select(_ => (object)Hash()).ToArray()
                );
                break;
            case 5:
                EmitExactly("SCRIPT", "FLUSH", Source.Pick<object[]>([], ["SYNC"], ["ASYNC"], ["bogus"], ["SYNC", "ASYNC"]));
                break;
            case 6 when IsValkey:
                EmitExactly("SCRIPT", "SHOW", Hash());
                break;
            default:
                EmitExactly("SCRIPT", Source.Pick("KILL", "nosuch", "LOAD", "EXISTS"));
                break;
        }
    }

    private void FunctionSubcommand()
    {
        switch (Source.Random.Next(12))
        {
            case <= 3:
                List();
                break;
            case <= 5:
                EmitExactly("FUNCTION", "DELETE", Source.OneIn(8) ? Source.Value() : Source.Pick(Libraries));
                break;
            case 6:
                EmitExactly("FUNCTION", "FLUSH", Source.Pick<object[]>([], ["SYNC"], ["ASYNC"], ["bogus"]));
                break;
            case 7:
                EmitExactly("FUNCTION", "DUMP");
                break;
            case <= 9:
                EmitExactly(
                    "FUNCTION",
                    "RESTORE",
                    Payload(),
                    Source.Pick<object[]>([], ["APPEND"], ["REPLACE"], ["REPLACE"], ["FLUSH"], ["bogus"], ["FLUSH", "x"])
                );
                break;
            case 10:
                EmitExactly("FUNCTION", Source.Pick("STATS", "KILL", "nosuch", "LOAD", "DELETE", "RESTORE"));
                break;
            default:
                EmitExactly("FUNCTION", "LOAD", Source.Pick<object[]>(["x"], ["REPLACE"], ["bogus", "x"], ["REPLACE", "x", "y"], [""]));
                break;
        }
    }

    private void List()
    {
        List<object> options = [];
        if (Source.OneIn(2))
            options.AddRange([Source.Name("LIBRARYNAME"), Source.Pick("*", "lib*", "lib1", "x", "LIB?", "[")]);
        if (Source.OneIn(2))
            options.Add(Source.Name("WITHCODE"));
        if (Source.OneIn(10))
            options.Add(Source.Pick("bogus", "LIBRARYNAME", "WITHCODE"));
        EmitExactly("FUNCTION", "LIST", options.ToArray());
    }

    private byte[] Payload()
    {
        var bytes = new ArrayBufferWriter<byte>();
        var writer = new RdbWriter(bytes, new RdbWriterOptions());
        for (int i = Source.Random.Next(3); i > 0; i--)
        {
            writer.WriteRaw([FunctionOpcode]);
            writer.WriteString(ArgumentSource.Bytes(Library()));
        }

        if (IsValkey && Source.OneIn(10))
            writer.WriteRaw([Source.Pick<byte>(0, 245, 246, 255)]);
        byte[] payload = [.. bytes.WrittenSpan, .. BitConverter.GetBytes(Source.OneIn(20) ? (ushort)999 : (ushort)PayloadVersion)];
        payload = [.. payload, .. BitConverter.GetBytes(Crc64.Append(0, payload))];
        if (Source.OneIn(10))
            payload[Source.Random.Next(payload.Length)] ^= 1;
        return payload;
    }

    private void Transaction()
    {
        EmitExactly("MULTI");
        for (int i = Source.Random.Next(1, 4); i > 0; i--)
        {
            if (Source.OneIn(2))
                Eval();
            else if (Source.OneIn(2))
                Emit("FCALL", Function(), KeysAndArguments());
            else
                Data();
        }

        EmitExactly("EXEC");
    }

    private void Data()
    {
        byte[] key = ArgumentSource.Bytes($"k{Source.Random.Next(6)}");
        switch (Source.Random.Next(12))
        {
            case 0:
                Emit("SET", key, Source.Value());
                break;
            case 1:
                Emit("DEL", key);
                break;
            case 2:
                Emit("RPUSH", key, Source.Value(), Source.Value());
                break;
            case 3:
                Emit("LRANGE", key, "0", "-1");
                break;
            case 4:
                Emit("HSET", key, "f1", Source.Value(), "f2", Source.Value());
                break;
            case 5:
                Emit("ZADD", key, "1", "e1", "2.5", "e2");
                break;
            case 6:
                Emit("ZRANGE", key, "0", "-1", "WITHSCORES");
                break;
            case 7:
                Emit("TYPE", key);
                break;
            case 8:
                Emit("EXISTS", key);
                break;
            case 9:
                EmitExactly("DBSIZE");
                break;
            case 10:
                Emit("SADD", key, "1", "2");
                break;
            default:
                Emit("GET", key);
                break;
        }
    }
}
