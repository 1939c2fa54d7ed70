// A copy of a sketch under modification. Owned by one command; its memory is rented.
using System.Buffers;

namespace Garnet.Commands.HyperLogLogs;

/// <summary>
/// Raises registers in a copy of a sparse or dense sketch, and converts it to dense when necessary. The caller stores the copy if it
/// changed.
/// </summary>
internal ref struct SketchDraft
{
    private readonly long _sparseLimit;
    private byte[] _rented;
    private int _length;

    /// <summary>Copies a sketch.</summary>
    /// <param name="sketch">The sketch; a sparse one may be corrupt.</param>
    /// <param name="changes">Maximum number of registers that will be raised.</param>
    /// <param name="sparseLimit">Maximum length in bytes of a sparse sketch.</param>
    public SketchDraft(ReadOnlySpan<byte> sketch, int changes, long sparseLimit)
    {
        // All runs together never take more than two bytes per register.
        int growth = Math.Min(changes, 2 * SketchFormat.Registers / SparseEditor.MaxGrowth) * SparseEditor.MaxGrowth;
        _rented = ArrayPool<byte>.Shared.Rent(sketch.Length + growth + SparseEditor.MaxGrowth);
        sketch.CopyTo(_rented);
        _length = sketch.Length;
        _sparseLimit = sparseLimit;
    }

    /// <summary>The current bytes of the sketch.</summary>
    public readonly Span<byte> Bytes => _rented.AsSpan(0, _length);

    /// <summary>Whether it is dense.</summary>
    public readonly bool IsDense => SketchFormat.IsDense(Bytes);

    /// <summary>Raises a register; never returns <see cref="SketchChange.NeedsDense"/>.</summary>
    public SketchChange Raise(int register, int value)
    {
        if (!IsDense)
        {
            SketchChange change = SparseEditor.Raise(_rented, ref _length, register, value, _sparseLimit);
            if (change != SketchChange.NeedsDense)
                return change;
            if (!TryMakeDense())
                return SketchChange.Corrupt;
        }

        Span<byte> registers = Bytes[SketchFormat.HeaderBytes..];
        if (DenseRegisters.Get(registers, register) >= value)
            return SketchChange.None;
        DenseRegisters.Set(registers, register, value);
        return SketchChange.Raised;
    }

    /// <summary>Converts the sketch to dense; false if it is corrupt.</summary>
    public bool TryMakeDense()
    {
        if (IsDense)
            return true;
        byte[] plain = ArrayPool<byte>.Shared.Rent(SketchFormat.Registers);
        Span<byte> registers = plain.AsSpan(0, SketchFormat.Registers);
        registers.Clear();
        bool valid = SparseRuns.TryMergeInto(registers, Bytes);
        if (valid)
            Store(registers);
        ArrayPool<byte>.Shared.Return(plain);
        return valid;
    }

    /// <summary>Replaces all registers of a dense sketch.</summary>
    public readonly void Replace(ReadOnlySpan<byte> plainRegisters) =>
        DenseRegisters.Pack(Bytes[SketchFormat.HeaderBytes..], plainRegisters);

    /// <summary>Returns the rented memory.</summary>
    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(_rented);
        _rented = [];
        _length = 0;
    }

    private void Store(ReadOnlySpan<byte> plainRegisters)
    {
        byte[] dense = ArrayPool<byte>.Shared.Rent(SketchFormat.DenseBytes);
        Bytes[..SketchFormat.HeaderBytes].CopyTo(dense);
        ArrayPool<byte>.Shared.Return(_rented);
        _rented = dense;
        _length = SketchFormat.DenseBytes;
        SketchFormat.SetEncoding(Bytes, SketchFormat.Dense);
        Replace(plainRegisters);
    }
}
