// A copy of a sketch while it is changed. Owned by one command; its memory is rented.
using System.Buffers;

namespace Garnet.Server.Commands.HyperLogLogs;

/// <summary>
/// Raises registers of a sparse or dense sketch in a copy, which turns dense when it must. The caller stores the copy if it changed.
/// </summary>
internal ref struct SketchDraft
{
    private readonly long _sparseLimit;
    private byte[] _rented;
    private int _length;

    /// <summary>Copies a sketch.</summary>
    /// <param name="sketch">The sketch; a sparse one may be corrupt.</param>
    /// <param name="changes">The most registers that will be raised.</param>
    /// <param name="sparseLimit">The length up to which it stays sparse.</param>
    public SketchDraft(ReadOnlySpan<byte> sketch, int changes, long sparseLimit)
    {
        // The runs of all registers never take more than two bytes for each.
        int growth = Math.Min(changes, 2 * SketchFormat.Registers / SparseEditor.MaxGrowth) * SparseEditor.MaxGrowth;
        _rented = ArrayPool<byte>.Shared.Rent(sketch.Length + growth + SparseEditor.MaxGrowth);
        sketch.CopyTo(_rented);
        _length = sketch.Length;
        _sparseLimit = sparseLimit;
    }

    /// <summary>The sketch as it is now.</summary>
    public readonly Span<byte> Bytes => _rented.AsSpan(0, _length);

    /// <summary>Whether it is dense.</summary>
    public readonly bool IsDense => SketchFormat.IsDense(Bytes);

    /// <summary>Raises a register; never answers that it needs the dense form.</summary>
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

    /// <summary>Turns the sketch dense; false when it is corrupt.</summary>
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

    /// <summary>Frees the memory.</summary>
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
