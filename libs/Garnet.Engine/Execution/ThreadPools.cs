// Objects that commands and clients use for a while, kept for the next. One for each thread, which uses it.
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Engine.Execution;

/// <summary>Lends tables, lists and transactions, so that none is allocated for a command.</summary>
internal sealed class ThreadPools
{
    private const int KeptTables = 64;

    private const int KeptTransactions = 16;

    private const int KeptHeld = 16;

    private const int KeptKeyReferences = 4096;

    private readonly Stack<ArgumentTable> _argumentTables = new();
    private readonly Stack<Transaction> _transactions = new();
    private readonly Stack<HeldArguments> _heldArguments = new();
    private KeyReference[] _keyReferences = new KeyReference[16];
    private MemberTable? _members;

    /// <summary>A table for the arguments of a batch. The session keeps it only while a request of its client is unfinished.</summary>
    public ArgumentTable RentArguments() => _argumentTables.TryPop(out ArgumentTable? table) ? table : new ArgumentTable();

    /// <summary>Returns a table to the pool.</summary>
    public void ReturnArguments(ArgumentTable table)
    {
        table.Clear();
        table.Trim();
        table.External = null;
        if (_argumentTables.Count < KeptTables)
            _argumentTables.Push(table);
    }

    /// <summary>For a request whose arguments are stored outside of the receive buffer until it is complete.</summary>
    public HeldArguments RentHeld(HybridLogStore store) => _heldArguments.TryPop(out HeldArguments? held) ? held : new HeldArguments(store);

    /// <summary>Returns an empty instance to the pool.</summary>
    public void ReturnHeld(HeldArguments held)
    {
        if (_heldArguments.Count < KeptHeld)
            _heldArguments.Push(held);
    }

    /// <summary>An empty transaction for a client that sent MULTI.</summary>
    public Transaction RentTransaction() => _transactions.TryPop(out Transaction? transaction) ? transaction : new Transaction();

    /// <summary>Returns a transaction to the pool after its EXEC; those that end otherwise are left to the garbage collector.</summary>
    public void ReturnTransaction(Transaction transaction)
    {
        if (transaction.TryReset() && _transactions.Count < KeptTransactions)
            _transactions.Push(transaction);
    }

    /// <summary>Collects the members of a union; allocated on first use.</summary>
    public MemberTable Members => _members ??= new MemberTable();

    /// <summary>Scratch list for the positions of one call's keys.</summary>
    public List<KeyPosition> KeyPositions { get; } = [];

    /// <summary>Ends a union that a command left behind when it threw.</summary>
    public void EndMembers() => _members?.End();

    /// <summary>Space for the keys that a command latches together; invalid after the next call.</summary>
    public Span<KeyReference> KeyReferences(int count)
    {
        if (count > KeptKeyReferences)
            return GC.AllocateUninitializedArray<KeyReference>(count);
        if (count > _keyReferences.Length)
            _keyReferences = new KeyReference[Math.Max(count, _keyReferences.Length * 2)];
        return _keyReferences.AsSpan(0, count);
    }
}
