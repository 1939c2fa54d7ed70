// A command parsed and looked up but not yet executed.
using Garnet.Server.CommandModel;

namespace Garnet.Server.Sessions;

/// <summary>One entry of a batch: where its arguments stand in the worker's table, what it is, and the hash of its first key.</summary>
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
