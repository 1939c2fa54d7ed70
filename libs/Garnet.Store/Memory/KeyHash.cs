// The seeded hash of keys: AES rounds where the processor supports them, otherwise SipHash. Immutable.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using Arm = System.Runtime.Intrinsics.Arm;
using X86 = System.Runtime.Intrinsics.X86;

namespace Garnet.Store.Memory;

/// <summary>
/// A keyed hash, so that clients cannot choose colliding keys. Every 16 bytes are absorbed by two AES rounds under a secret key (a
/// difference then spreads over at least five S-boxes, whose output an attacker without the key can only guess), and three more rounds
/// finish. Values differ between processors and processes: they are never stored.
/// </summary>
internal readonly struct KeyHash
{
    private readonly SipHash _sip;
    private readonly RoundKey _k0;
    private readonly RoundKey _k1;
    private readonly RoundKey _k2;

    /// <summary>A hash keyed by 64 bits, expanded to the key size of the algorithm.</summary>
    public KeyHash(ulong seed)
    {
        _sip = new SipHash(seed);
        _k0 = new RoundKey(seed, 1);
        _k1 = new RoundKey(seed, 3);
        _k2 = new RoundKey(seed, 5);
    }

    private static bool HasRounds => X86.Aes.IsSupported || Arm.Aes.IsSupported;

    /// <summary>The 64-bit hash of some bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong Compute(ReadOnlySpan<byte> bytes) => HasRounds ? ComputeByRounds(bytes) : _sip.Compute(bytes);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong ComputeByRounds(ReadOnlySpan<byte> bytes)
    {
        ref byte first = ref MemoryMarshal.GetReference(bytes);
        nint length = bytes.Length;
        // The length goes through a round of its own: combined directly with the bytes, it could be cancelled by them.
        Vector128<byte> state = Round(_k0.Vector ^ Vector128.CreateScalar((ulong)length).AsByte(), _k1.Vector);
        nint offset = 0;
        for (; offset < length - 16; offset += 16)
            state = Absorb(state, Vector128.LoadUnsafe(ref Unsafe.Add(ref first, offset)));

        // The last block ends with the end of the key and may overlap the one before; the length in the state keeps that unambiguous.
        Vector128<byte> last = length >= 16 ? Vector128.LoadUnsafe(ref Unsafe.Add(ref first, length - 16)) : LoadShort(ref first, length);
        state = Absorb(state, last);
        state = Round(state, _k0.Vector);
        state = Round(state, _k2.Vector);
        return Round(state, _k1.Vector).AsUInt64().ToScalar();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Vector128<byte> Absorb(Vector128<byte> state, Vector128<byte> block) => Round(Round(state ^ block, _k1.Vector), _k2.Vector);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<byte> LoadShort(ref byte first, nint length)
    {
        if (length >= 8)
        {
            return Vector128
                .Create(Unsafe.ReadUnaligned<ulong>(ref first), Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref first, length - 8)))
                .AsByte();
        }

        if (length >= 4)
        {
            return Vector128
                .Create(Unsafe.ReadUnaligned<uint>(ref first), (ulong)Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref first, length - 4)))
                .AsByte();
        }

        uint few =
            length == 0 ? 0 : first | ((uint)Unsafe.Add(ref first, length >> 1) << 8) | ((uint)Unsafe.Add(ref first, length - 1) << 16);
        return Vector128.CreateScalar((ulong)few).AsByte();
    }

    // One AES round as x86 defines it; Arm's instructions add the key before the substitution and mix columns separately.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<byte> Round(Vector128<byte> state, Vector128<byte> key) =>
        X86.Aes.IsSupported ? X86.Aes.Encrypt(state, key) : Arm.Aes.MixColumns(Arm.Aes.Encrypt(state, Vector128<byte>.Zero)) ^ key;

    // 128 bits of key. Kept as two numbers: code whose signature has a type with a vector in it is not compiled ahead of time.
    private readonly struct RoundKey(ulong seed, ulong number)
    {
        private readonly ulong _low = SipHash.Mix(seed + (number * 0x9E3779B97F4A7C15));
        private readonly ulong _high = SipHash.Mix(~seed + ((number + 1) * 0xD1B54A32D192ED03));

        public Vector128<byte> Vector
        {
            [MethodImpl(MethodImplOptions.AggressiveInlining)]
            get => Unsafe.ReadUnaligned<Vector128<byte>>(in Unsafe.As<ulong, byte>(ref Unsafe.AsRef(in _low)));
        }
    }
}
