// Byte strings of scripts. Immutable for scripts; a state may recycle those that it made for one run.
using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Text;

namespace Garnet.Lua.Values;

/// <summary>Bytes of any kind, compared by content. Strings are not interned: equal ones may be different objects.</summary>
internal sealed class LuaString
{
    public static readonly LuaString Empty = new([]);

    private const int MaxShown = 8 * 1024;

    private byte[] _bytes;
    private readonly int _start;
    private int _length;
    private uint _hash;
    private bool _hashed;

    public LuaString(byte[] bytes)
    {
        _bytes = bytes;
        _length = bytes.Length;
    }

    /// <summary>A part of bytes that stay as they are.</summary>
    public LuaString(byte[] bytes, int start, int length)
    {
        _bytes = bytes;
        _start = start;
        _length = length;
    }

    /// <summary>Bytes whose hash is known.</summary>
    public LuaString(byte[] bytes, uint hash)
        : this(bytes, 0, bytes.Length, hash) { }

    /// <summary>A part of bytes that stay as they are, whose hash is known.</summary>
    public LuaString(byte[] bytes, int start, int length, uint hash)
        : this(bytes, start, length)
    {
        _hash = hash;
        _hashed = true;
    }

    public LuaString(string text)
        : this(Encoding.Latin1.GetBytes(text)) { }

    public int Length => _length;

    public ReadOnlySpan<byte> Span => new(_bytes, _start, _length);

    /// <summary>The last walk over the live values that met this string.</summary>
    public int Mark { get; set; }

    /// <summary>Whether the state uses the object again after the run.</summary>
    public bool IsPooled { get; set; }

    /// <summary>Whether all states share the object, as a name of the libraries.</summary>
    public bool IsShared { get; init; }

    /// <summary>
    /// The position in tables depends on it, and with it the order of pairs: MurmurHash3 seeded with the length, as Valkey's.
    /// </summary>
    public uint Hash
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _hashed ? _hash : ComputeHash();
    }

    public byte this[int index] => _bytes[_start + index];

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool ContentEquals(LuaString other) =>
        ReferenceEquals(this, other) || (_length == other._length && Span.SequenceEqual(other.Span));

    /// <summary>The order of <c>&lt;</c>: by bytes, as in the C locale.</summary>
    public int CompareTo(LuaString other) => Span.SequenceCompareTo(other.Span);

    public override string ToString() => Encoding.Latin1.GetString(Span);

    /// <summary>The text for a message, cut off where no message can want more.</summary>
    public string ToShownText() => Encoding.Latin1.GetString(_length <= MaxShown ? Span : Span[..MaxShown]);

    /// <summary>Gives a recycled object new content of the given length, which the caller then writes.</summary>
    public Span<byte> Renew(int length)
    {
        _hashed = false;
        if (_bytes.Length < length)
            _bytes = new byte[(int)BitOperations.RoundUpToPowerOf2((uint)length)];
        _length = length;
        return new Span<byte>(_bytes, 0, length);
    }

    /// <summary>How many bytes the object can hold before it needs another array.</summary>
    public int Capacity => _bytes.Length;

    private uint ComputeHash()
    {
        uint hash = HashOf(Span);
        _hash = hash;
        Volatile.Write(ref _hashed, true);
        return hash;
    }

    /// <summary>The hash of a content.</summary>
    public static uint HashOf(ReadOnlySpan<byte> content)
    {
        ReadOnlySpan<byte> rest = content;
        uint hash = (uint)rest.Length;
        for (; rest.Length >= 4; rest = rest[4..])
            hash = (BitOperations.RotateLeft(hash ^ Scramble(BinaryPrimitives.ReadUInt32LittleEndian(rest)), 13) * 5) + 0xe6546b64;
        if (rest.Length > 0)
        {
            uint tail = 0;
            for (int i = rest.Length - 1; i >= 0; i--)
                tail = (tail << 8) | rest[i];
            hash ^= Scramble(tail);
        }

        hash ^= (uint)content.Length;
        hash = (hash ^ (hash >> 16)) * 0x85ebca6b;
        hash = (hash ^ (hash >> 13)) * 0xc2b2ae35;
        hash ^= hash >> 16;
        return hash;
    }

    private static uint Scramble(uint block) => BitOperations.RotateLeft(block * 0xcc9e2d51, 15) * 0x1b873593;
}
