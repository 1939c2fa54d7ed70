// The reply of one call of a module's command. Lives on the stack.
using System.Runtime.CompilerServices;
using Garnet.Commands.Hashes;
using Garnet.Commands.Strings;
using Garnet.Engine.Execution;
using Garnet.Modules.Running;

namespace Garnet.Modules;

/// <summary>
/// Writes the reply in the client's version of the protocol; types that RESP2 lacks are written as their RESP2 equivalents. Exactly one
/// reply is written: the elements of an array, map or set belong to it. What is missing when the command ends is replaced by errors, so
/// that the client never takes the next command's reply for this one's.
/// </summary>
public ref struct ReplyWriter
{
    private readonly ref byte _context;
    private long _missing;

    internal ReplyWriter(ref byte context)
    {
        _context = ref context;
        _missing = 1;
    }

    /// <summary>The number of replies and elements that are still to be written.</summary>
    internal readonly long Missing => _missing;

    private readonly ref CommandContext Context
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref ContextReference.Of(ref _context);
    }

    /// <summary>+OK</summary>
    /// <exception cref="InvalidOperationException">As for every reply: the command has replied already.</exception>
    public void WriteOk()
    {
        Begin();
        Context.Reply.WriteOk();
    }

    /// <summary>A short status text, which must have no line break.</summary>
    public void WriteSimpleString(scoped ReadOnlySpan<byte> text)
    {
        Begin();
        Context.Reply.WriteSimpleString(text);
    }

    /// <summary>
    /// An error, its code first, as in <c>ERR no such bucket</c>; line breaks become spaces. What the command has changed stays.
    /// </summary>
    public void WriteError(scoped ReadOnlySpan<byte> text)
    {
        Begin();
        Context.Reply.WriteError(text);
    }

    /// <summary>As <see cref="WriteError(ReadOnlySpan{byte})"/>, the text as UTF-8.</summary>
    public void WriteError(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        Begin();
        Context.Reply.WriteError(text);
    }

    /// <summary>An integer.</summary>
    public void WriteInteger(long value)
    {
        Begin();
        Context.Reply.WriteInteger(value);
    }

    /// <summary>A floating-point number.</summary>
    public void WriteDouble(double value)
    {
        Begin();
        Context.Reply.WriteDouble(value);
    }

    /// <summary>True or false; 1 or 0 in RESP2.</summary>
    public void WriteBoolean(bool value)
    {
        Begin();
        Context.Reply.WriteBool(value);
    }

    /// <summary>Bytes.</summary>
    public void WriteBulk(scoped ReadOnlySpan<byte> payload)
    {
        Begin();
        Context.Reply.WriteBulk(payload);
    }

    /// <summary>A text as UTF-8.</summary>
    public void WriteBulk(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        Begin();
        Context.Reply.WriteBulk(text);
    }

    /// <summary>No value.</summary>
    public void WriteNull()
    {
        Begin();
        Context.Reply.WriteNull();
    }

    /// <summary>Begins an array; as many replies must follow.</summary>
    public void WriteArray(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        Begin();
        _missing += count;
        Context.Reply.WriteArray(count);
    }

    /// <summary>Begins a map; its keys and values must follow alternately.</summary>
    public void WriteMap(int pairs)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(pairs);
        Begin();
        _missing += 2L * pairs;
        Context.Reply.WriteMap(pairs);
    }

    /// <summary>Begins a set; as many replies must follow.</summary>
    public void WriteSet(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        Begin();
        _missing += count;
        Context.Reply.WriteSet(count);
    }

    /// <summary>The value of a string, as GET replies it: null when there is none, WRONGTYPE for another type.</summary>
    public void WriteValue(in ReadOnlyString key)
    {
        Begin();
        GetCommand.ReplyWithString(ref Context, key.Argument);
    }

    /// <summary>The value of a field, as HGET replies it: null when there is none, WRONGTYPE for another type.</summary>
    public void WriteField(in ReadOnlyHash key, scoped ReadOnlySpan<byte> field)
    {
        Begin();
        HGetCommand.ReplyWithField(ref Context, key.Argument, KeyRules.Unscoped(field));
    }

    /// <summary>The reply is left to someone else.</summary>
    internal void Leave() => _missing = 0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Begin()
    {
        if (--_missing < 0)
            RefuseSecond();
    }

    private void RefuseSecond()
    {
        _missing = 0;
        throw new InvalidOperationException("The command has replied already.");
    }
}
