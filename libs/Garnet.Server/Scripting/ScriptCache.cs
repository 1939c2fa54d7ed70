// The scripts that clients have sent. Thread-safe.
using System.Collections.Concurrent;
using Garnet.Lua.Compilation;
using Garnet.Lua.Execution;
using Garnet.Server.Configuration;

namespace Garnet.Server.Scripting;

/// <summary>
/// Scripts by hash. Of those that came with EVAL only the last ones used are kept, as in Valkey; those of SCRIPT LOAD stay until SCRIPT
/// FLUSH, and their code, which takes more memory than the source, is made anew by the first call.
/// </summary>
internal sealed class ScriptCache(ServerConfiguration configuration)
{
    private readonly Lock _gate = new();
    private readonly ConcurrentDictionary<ScriptHash, Script> _scripts = new();
    private readonly LinkedList<Script> _order = new();
    private long _bytes;

    public int Count => _scripts.Count;

    /// <summary>Memory of sources and code.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>Scripts dropped to make room.</summary>
    public long Evicted { get; private set; }

    /// <summary>Counts calls of <see cref="Clear"/>, so that threads drop what they made of the scripts.</summary>
    public int Generation { get; private set; }

    /// <summary>All scripts of this moment.</summary>
    public IEnumerable<Script> Scripts => _scripts.Values;

    public Script? Find(in ScriptHash hash) => _scripts.GetValueOrDefault(hash);

    /// <summary>Finds or compiles a script.</summary>
    /// <param name="source">The script.</param>
    /// <param name="isLoaded">By SCRIPT LOAD: it will not be dropped.</param>
    /// <param name="script">The script.</param>
    /// <returns>The error, or null.</returns>
    public string? Add(ReadOnlySpan<byte> source, bool isLoaded, out Script script)
    {
        var hash = ScriptHash.Of(source);
        script = null!;
        if (Find(hash) is { } known)
        {
            script = known;
            if (isLoaded)
                Keep(known);
            return null;
        }

        Prototype code;
        ScriptFlags flags;
        byte[] kept = source.ToArray();
        try
        {
            if (Compile(kept, out flags, out code) is { } problem)
                return problem;
        }
        catch (LuaSyntaxException e)
        {
            return "ERR Error compiling script (new function): " + e.Message;
        }

        script = Add(new Script(hash, kept, flags) { Code = isLoaded ? null : code }, isLoaded);
        return null;
    }

    /// <summary>The code of a script, compiled if it was only loaded so far.</summary>
    public Prototype CodeOf(Script script)
    {
        if (script.Code is { } known)
            return known;
        Compile(script.Source, out _, out Prototype code);
        lock (_gate)
        {
            if (script.Code is null)
            {
                script.Code = code;
                if (_scripts.TryGetValue(script.Hash, out Script? cached) && ReferenceEquals(cached, script))
                    _bytes += code.Bytes;
            }

            return script.Code;
        }
    }

    /// <summary>Notes that a script was used, so that it is dropped later than others.</summary>
    public void NoteUse(Script script)
    {
        if (script.Order is null)
            return;
        lock (_gate)
        {
            if (script.Order is { List: not null } node && !ReferenceEquals(_order.Last, node))
            {
                _order.Remove(node);
                _order.AddLast(node);
            }
        }
    }

    /// <summary>Forgets all scripts.</summary>
    public void Clear()
    {
        lock (_gate)
        {
            _scripts.Clear();
            _order.Clear();
            _bytes = 0;
            Generation++;
        }
    }

    private static long BytesOf(Script script) => 200 + script.Source.Length + (script.Code?.Bytes ?? 0);

    private static string? Compile(byte[] source, out ScriptFlags flags, out Prototype code)
    {
        code = null!;
        if (ScriptShebang.Read(source, out flags, out int shebang) is { } problem)
            return problem;
        code = LuaCompiler.CompileKept(source, shebang, "@user_script");
        return null;
    }

    private void Keep(Script script)
    {
        lock (_gate)
        {
            if (script.Order is { List: not null } node)
                _order.Remove(node);
            script.Order = null;
        }
    }

    private Script Add(Script script, bool isLoaded)
    {
        lock (_gate)
        {
            if (_scripts.TryGetValue(script.Hash, out Script? other))
                return other;
            while (!isLoaded && _order.Count >= configuration.Current.MaxCachedScripts)
            {
                Script oldest = _order.First!.Value;
                _order.RemoveFirst();
                _scripts.TryRemove(oldest.Hash, out _);
                _bytes -= BytesOf(oldest);
                Evicted++;
            }

            _scripts[script.Hash] = script;
            _bytes += BytesOf(script);
            if (!isLoaded)
                script.Order = _order.AddLast(script);
            return script;
        }
    }
}
