// MessagePack to values. Used by the thread that runs the state.
using System.Buffers.Binary;
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>
/// Reads values; arrays and maps may nest as deep as the machine's stack has room for. Nothing is allocated by a declared length.
/// </summary>
internal ref struct MessagePackReader(NativeCall call, ReadOnlySpan<byte> source)
{
    private const int MaxDepth = 1000;

    private readonly ReadOnlySpan<byte> _source = source;

    public int Position { get; private set; }

    public readonly bool IsAtEnd => Position == _source.Length;

    public LuaValue Read(int depth)
    {
        if (depth > MaxDepth)
            throw call.Error("Too many nested arrays and maps in input.");
        call.State.ChargeInstructions(1);
        byte code = Take(1)[0];
        switch (code)
        {
            case <= 0x7f:
                return new LuaValue((double)code);
            case <= 0x8f:
                return ReadMap(code & 15, depth);
            case <= 0x9f:
                return ReadArray(code & 15, depth);
            case <= 0xbf:
                return ReadString(code & 31);
            case >= 0xe0:
                return new LuaValue((double)(sbyte)code);
        }

        switch (code)
        {
            case 0xc0:
                return LuaValue.Nil;
            case 0xc2:
                return LuaValue.False;
            case 0xc3:
                return LuaValue.True;
            case 0xca:
                return new LuaValue(BinaryPrimitives.ReadSingleBigEndian(Take(4)));
            case 0xcb:
                return new LuaValue(BinaryPrimitives.ReadDoubleBigEndian(Take(8)));
            case 0xcc:
                return new LuaValue((double)ReadUnsigned(1));
            case 0xcd:
                return new LuaValue((double)ReadUnsigned(2));
            case 0xce:
                return new LuaValue((double)ReadUnsigned(4));
            case 0xcf:
                // Lua 5.1 has no larger integers than signed ones.
                return new LuaValue((double)(long)ReadUnsigned(8));
            case 0xd0:
                return new LuaValue((double)(sbyte)ReadUnsigned(1));
            case 0xd1:
                return new LuaValue((double)(short)ReadUnsigned(2));
            case 0xd2:
                return new LuaValue((double)(int)ReadUnsigned(4));
            case 0xd3:
                return new LuaValue((double)(long)ReadUnsigned(8));
            case 0xd9:
                return ReadString((long)ReadUnsigned(1));
            case 0xda:
                return ReadString((long)ReadUnsigned(2));
            case 0xdb:
                return ReadString((long)ReadUnsigned(4));
            case 0xdc:
                return ReadArray((long)ReadUnsigned(2), depth);
            case 0xdd:
                return ReadArray((long)ReadUnsigned(4), depth);
            case 0xde:
                return ReadMap((long)ReadUnsigned(2), depth);
            case 0xdf:
                return ReadMap((long)ReadUnsigned(4), depth);
            default:
                throw call.Error("Bad data format in input.");
        }
    }

    private ReadOnlySpan<byte> Take(long count)
    {
        if (count > _source.Length - Position)
            throw call.Error("Missing bytes in input.");
        ReadOnlySpan<byte> taken = _source.Slice(Position, (int)count);
        Position += (int)count;
        return taken;
    }

    private ulong ReadUnsigned(int bytes)
    {
        ulong value = 0;
        foreach (byte b in Take(bytes))
            value = (value << 8) | b;
        return value;
    }

    private LuaValue ReadString(long length)
    {
        return new LuaValue(call.State.Heap.NewString(Take(length)));
    }

    private LuaValue ReadArray(long count, int depth)
    {
        LuaTable table = call.State.Heap.NewTable();
        // Until its parent refers to it, the stack does: it is in use.
        call.Thread.Push(new LuaValue(table));
        for (int i = 1; i <= count; i++)
        {
            LuaValue value = Read(depth + 1);
            table.Set(i, value);
        }

        call.Thread.Top--;
        return new LuaValue(table);
    }

    // An operation of a host function: its errors have no position.
    private void CheckKey(in LuaValue key)
    {
        FrameCaller caller = call.Thread.NativeCaller;
        call.Thread.NativeCaller = FrameCaller.Native;
        Operations.CheckKey(call.Thread, key);
        call.Thread.NativeCaller = caller;
    }

    private LuaValue ReadMap(long count, int depth)
    {
        LuaTable table = call.State.Heap.NewTable();
        call.Thread.Push(new LuaValue(table));
        for (long i = 0; i < count; i++)
        {
            LuaValue key = Read(depth + 1);
            LuaValue value = Read(depth + 1);
            CheckKey(key);
            table.Set(key, value);
        }

        call.Thread.Top--;
        return new LuaValue(table);
    }
}
