// One call of a module's command. Lives on the stack of the thread that executes it.
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Text;
using Garnet.Modules.Running;
using Garnet.Protocol;
using Garnet.Server.CommandModel;
using Garnet.Server.Modules;
using Garnet.Store;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Modules;

/// <summary>
/// The arguments, the reply and the keys of one call of a command. Passed to the command's method by reference and valid until it returns;
/// spans that it hands out are valid as long, unless they say otherwise. The method must not wait: it runs on a thread that serves many
/// clients, and the keys it has opened are latched.
/// </summary>
public ref struct ModuleContext
{
    private readonly ref byte _context;
    private readonly LoadedModule _module;
    private ReplyWriter _reply;

    internal ModuleContext(ref CommandContext context, LoadedModule module)
    {
        _context = ref ContextReference.ToBytes(ref context);
        _module = module;
        _reply = new ReplyWriter(ref _context);
    }

    /// <summary>Receives the reply: exactly one, which may be an array of several.</summary>
    [UnscopedRef]
    public ref ReplyWriter Reply => ref _reply;

    /// <summary>The number of arguments, including the command's name.</summary>
    public readonly int Count => Inner.Count;

    /// <summary>The bytes of an argument; 0 is the command's name.</summary>
    /// <exception cref="IndexOutOfRangeException">There is no such argument.</exception>
    public readonly ReadOnlySpan<byte> this[int index]
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Inner[index];
    }

    /// <summary>
    /// The server's time in Unix milliseconds: the same during the whole call, so that it and the expiry of keys agree. It must not decide
    /// what a repeated call changes; a command that depends on it says what it has changed with <c>Replicate</c>.
    /// </summary>
    public readonly long NowMs => Inner.NowMs;

    /// <summary>The number of the client's connection, as CLIENT ID replies it.</summary>
    public readonly long ClientId => Inner.Client.Id;

    /// <summary>The client's name, as CLIENT SETNAME has set it; empty when it has not.</summary>
    public readonly string ClientName => Inner.Client.Names.Client;

    /// <summary>The name of the client's user; "default" when it has not logged in.</summary>
    public readonly string UserName => Inner.Client.Login.User?.Name ?? "default";

    /// <summary>The number of the client's database.</summary>
    public readonly int Database => Inner.Store.Database;

    /// <summary>2 or 3: the version of the protocol that the client gets replies in.</summary>
    public readonly int ProtocolVersion => Inner.Reply.ProtocolVersion;

    /// <summary>
    /// Whether the call comes from the append-only log or from the primary instead of a client; it must change then what it changed there.
    /// </summary>
    public readonly bool IsReplicated => Inner.Client.IsReplaying;

    private readonly ref CommandContext Inner
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref ContextReference.Of(ref _context);
    }

    /// <summary>Compares an argument with a word of upper-case ASCII letters, in any letter case.</summary>
    public readonly bool Is(int index, scoped ReadOnlySpan<byte> upperCaseWord) => Ascii.EqualsIgnoreCase(this[index], upperCaseWord);

    /// <summary>For generated code: an argument as an integer; writes the error and returns false when it is none.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public bool TryBind(int index, out long value)
    {
        if (IntegerText.TryParse(this[index], out value))
            return true;
        _reply.WriteError(ErrorText.NotInteger);
        return false;
    }

    /// <inheritdoc cref="TryBind(int, out long)"/>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public bool TryBind(int index, out int value)
    {
        bool isInteger = IntegerText.TryParse(this[index], out long wide) && (int)wide == wide;
        value = isInteger ? (int)wide : 0;
        if (!isInteger)
            _reply.WriteError(ErrorText.NotInteger);
        return isInteger;
    }

    /// <summary>For generated code: an argument as a double; writes the error and returns false when it is none.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public bool TryBind(int index, out double value)
    {
        if (DoubleText.TryParse(this[index], out value) && !double.IsNaN(value))
            return true;
        _reply.WriteError(ErrorText.NotFloat);
        return false;
    }

    /// <summary>For generated code: opens a string; writes the error and returns false when the key has another type.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public bool TryBind(int index, out StringKey key)
    {
        bool isOpen = TryOpen(index, RecordType.String, out RecordHandle record);
        key = isOpen ? new StringKey(ref _context, record) : default;
        return isOpen;
    }

    /// <summary>For generated code: opens a hash; writes the error and returns false when the key has another type.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public bool TryBind(int index, out HashKey key)
    {
        bool isOpen = TryOpen(index, RecordType.Hash, out RecordHandle record);
        key = isOpen ? new HashKey(ref _context, new HashValue(record)) : default;
        return isOpen;
    }

    /// <summary>For generated code: a string to be read without a latch.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public readonly bool TryBind(int index, out ReadOnlyString key)
    {
        key = new ReadOnlyString(ref _context, index);
        return true;
    }

    /// <summary>For generated code: a hash to be read without a latch.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public readonly bool TryBind(int index, out ReadOnlyHash key)
    {
        key = new ReadOnlyHash(ref _context, index);
        return true;
    }

    /// <summary>For generated code: latches several keys before any of them is opened.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public readonly void Latch(scoped ReadOnlySpan<int> positions)
    {
        ref CommandContext inner = ref Inner;
        Span<KeyReference> keys = inner.Batch.KeyReferences(positions.Length);
        for (int i = 0; i < positions.Length; i++)
            keys[i] = new KeyReference(inner.Store.Database, inner.Store.Hash(inner[positions[i]]));
        inner.LatchKeys(keys);
    }

    /// <summary>For generated code: the arguments from one on.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public readonly ArgumentList ArgumentsFrom(int first) => new(ref _context, first);

    /// <summary>For generated code: an option that is unknown or lacks its value.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public void WriteSyntaxError() => _reply.WriteError(ErrorText.Syntax);

    internal readonly LoadedModule Module => _module;

    private bool TryOpen(int index, RecordType type, out RecordHandle record)
    {
        ref CommandContext inner = ref Inner;
        record = inner.Open(index);
        if (!inner.Command.IsWrite)
            inner.CountLookup(record.Exists, index);
        if (!record.Exists || record.Type == type)
            return true;
        _reply.WriteError(ErrorText.WrongType);
        return false;
    }
}
