// A command parsed and looked up but not yet executed.

namespace Garnet.Engine.Execution;

/// <summary>One entry of a batch: the position of its arguments in the batch's table, its command, and the hash of its first key.</summary>
internal struct PreparedCommand
{
    public Command? Command;
    public int FirstArgument;
    public int ArgumentCount;
    public int End;
    public bool HasHash;
    public bool FollowsEmpty;
    public int Database;
    public ulong Hash;
}
