// The names of operands. Immutable once built; any thread.
using Garnet.Lua.Values;

namespace Garnet.Lua.Execution;

/// <summary>
/// For each operand that has a name: how many instructions after the one before, which operand, the kind, and the index of the name. Names
/// of variables are in a list of their own, those of globals and fields among the constants. Only errors look names up.
/// </summary>
internal readonly struct NameTable(byte[] entries, LuaString[] variables)
{
    private const int KindBits = 3;

    public static NameTable Empty => new([], []);

    /// <summary>The memory that the table takes.</summary>
    public int Bytes => entries.Length + (variables.Length * 40);

    /// <summary>Adds an entry; those of one instruction in any order, those of the next ones after them.</summary>
    /// <param name="entries">The entries so far.</param>
    /// <param name="distance">The number of instructions since the last entry.</param>
    /// <param name="operand">The operand, at least -1.</param>
    /// <param name="kind">Its kind.</param>
    /// <param name="name">The index of its name among the variables or the constants.</param>
    public static void Add(List<byte> entries, int distance, int operand, OperandKind kind, int name)
    {
        PackedNumbers.Add(entries, distance);
        PackedNumbers.Add(entries, ((operand + 1) << KindBits) | (int)kind);
        PackedNumbers.Add(entries, name);
    }

    /// <summary>The name of an operand of an instruction; null if it has none.</summary>
    public OperandName? Find(int pc, int operand, LuaValue[] constants)
    {
        int at = 0;
        for (int position = 0; position < entries.Length && at <= pc; )
        {
            at += PackedNumbers.Read(entries, ref position);
            int which = PackedNumbers.Read(entries, ref position);
            int index = PackedNumbers.Read(entries, ref position);
            if (at != pc || (which >> KindBits) - 1 != operand)
                continue;
            var kind = (OperandKind)(which & ((1 << KindBits) - 1));
            return new OperandName(
                kind,
                kind switch
                {
                    OperandKind.Local or OperandKind.Upvalue => variables[index].ToShownText(),
                    OperandKind.UnknownField => "?",
                    _ => ((LuaString)constants[index].Object!).ToShownText(),
                }
            );
        }

        return null;
    }
}
