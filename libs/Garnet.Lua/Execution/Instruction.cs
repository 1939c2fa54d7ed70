// One instruction of compiled code. Immutable; any thread.
namespace Garnet.Lua.Execution;

/// <summary>Eight bytes: the operation and its operands.</summary>
internal struct Instruction(Opcode opcode, byte a, ushort b, int c)
{
    public Opcode Opcode = opcode;
    public byte A = a;
    public ushort B = b;
    public int C = c;
}
