// A script that clients call by its hash. Immutable but for its code and its place in the cache; shared by all threads.
using System.Text;
using Garnet.Lua.Execution;

namespace Garnet.Server.Scripting;

/// <summary>A script's source, code and flags.</summary>
internal sealed class Script(ScriptHash hash, byte[] source, ScriptFlags flags) : RunnableScript(flags)
{
    public ScriptHash Hash => hash;

    public byte[] Source => source;

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
