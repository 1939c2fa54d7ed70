// The scripts that clients have sent. Thread-safe.
using System.Collections.Concurrent;
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

    /// <summary>Sets the code of a script that was only loaded so far, unless another thread has done so.</summary>
    public void SetCode(Script script, Prototype code)
    {
        lock (_gate)
        {
            if (script.Code is not null)
                return;
            script.Code = code;
            if (_scripts.TryGetValue(script.Hash, out Script? cached) && ReferenceEquals(cached, script))
                _bytes += code.Bytes;
        }
    }

    /// <summary>Notes that a script was used, so that it is dropped later than others.</summary>
    public void MarkUsed(Script script)
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

    /// <summary>Keeps a script until SCRIPT FLUSH.</summary>
    public void Keep(Script script)
    {
        lock (_gate)
        {
            if (script.Order is { List: not null } node)
                _order.Remove(node);
            script.Order = null;
        }
    }

    /// <summary>Adds a script, and gives the one of its hash that is there now.</summary>
    /// <param name="script">The script.</param>
    /// <param name="isLoaded">By SCRIPT LOAD: it will not be dropped.</param>
    public Script Add(Script script, bool isLoaded)
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
