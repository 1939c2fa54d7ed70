// The operands in which members of another operand are looked up. Lives on the stack; their keys are latched.
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.SortedSets;

/// <summary>As <see cref="Sets.SetProbe"/>, for operands with scores.</summary>
internal ref struct ScoredProbe(int firstKey)
{
    private const int MaxOpen = 5;

    private ScoredOperand _operand0;
    private ScoredOperand _operand1;
    private ScoredOperand _operand2;
    private ScoredOperand _operand3;
    private ScoredOperand _operand4;
    private int _isOpen; // one bit per operand

    /// <summary>The score of a member in an operand; false if it does not exist.</summary>
    public bool TryGetScore(scoped ref CommandContext context, int index, scoped ReadOnlySpan<byte> member, out double score)
    {
        if (index < MaxOpen && (_isOpen & (1 << index)) == 0)
            Open(index, ScoredOperand.Open(ref context, firstKey + index));
        return index switch
        {
            0 => _operand0.TryGetScore(member, out score),
            1 => _operand1.TryGetScore(member, out score),
            2 => _operand2.TryGetScore(member, out score),
            3 => _operand3.TryGetScore(member, out score),
            4 => _operand4.TryGetScore(member, out score),
            _ => ScoredOperand.Open(ref context, firstKey + index).TryGetScore(member, out score),
        };
    }

    private void Open(int index, ScoredOperand operand)
    {
        _isOpen |= 1 << index;
        switch (index)
        {
            case 0:
                _operand0 = operand;
                break;
            case 1:
                _operand1 = operand;
                break;
            case 2:
                _operand2 = operand;
                break;
            case 3:
                _operand3 = operand;
                break;
            default:
                _operand4 = operand;
                break;
        }
    }
}
