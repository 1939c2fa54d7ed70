// A script that clients call by its hash. Immutable but for what was made of it and its place in the cache; shared by all threads.
using System.Text;
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Server.Scripting;

/// <summary>A script's source, code and flags.</summary>
internal sealed class Script(ScriptHash hash, byte[] source, ScriptFlags flags) : RunnableScript(flags)
{
    private readonly Lock _gate = new();

    public ScriptHash Hash => hash;

    public byte[] Source => source;

    // One for each machine, so that what machines made of a script goes when the script does.
    private (ScriptMachine Machine, LuaClosure Function)[] _functions = [];

    /// <summary>The function that a machine made of the code; null if it has made none. The machine's thread.</summary>
    public LuaClosure? FunctionOf(ScriptMachine machine)
    {
        (ScriptMachine Machine, LuaClosure Function)[] functions = Volatile.Read(ref _functions);
        return (uint)machine.Number < (uint)functions.Length && ReferenceEquals(functions[machine.Number].Machine, machine)
            ? functions[machine.Number].Function
            : null;
    }

    /// <summary>Keeps what a machine made of the code for its next call. The machine's thread.</summary>
    public void SetFunction(ScriptMachine machine, LuaClosure function)
    {
        lock (_gate)
        {
            var functions = new (ScriptMachine Machine, LuaClosure Function)[Math.Max(_functions.Length, machine.Number + 1)];
            _functions.CopyTo(functions, 0);
            functions[machine.Number] = (machine, function);
            Volatile.Write(ref _functions, functions);
        }
    }

    /// <summary>The compiled source; null until it is needed. Set by the cache.</summary>
    public Prototype? Code { get; set; }

    /// <inheritdoc/>
    public override string Name
    {
        get
        {
            Span<byte> digits = stackalloc byte[ScriptHash.TextLength];
            hash.Format(digits);
            return Encoding.ASCII.GetString(digits);
        }
    }

    /// <summary>Its node in the order of use, if it may be dropped; guarded by the cache.</summary>
    public LinkedListNode<Script>? Order { get; set; }
}
