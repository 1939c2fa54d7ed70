// The code of a function while it is generated. One thread.
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Lua.Compilation;

/// <summary>Instructions, constants and registers of one function.</summary>
internal sealed class CodeBuilder(string source, CompilationMeter? meter)
{
    private const int MaxRegisters = 250;
    private const int MinRegisters = 2;

    // Registers that calls in generic loops need beyond those in use.
    private const int SpareRegisters = 6;

    // An instruction with its share of the tables of lines and names, in the lists that grow and in the arrays that stay.
    private const int InstructionBytes = 32;
    private const int ConstantBytes = 80;

    private readonly List<Instruction> _code = [];
    private readonly LineTableBuilder _lines = new();
    private readonly List<LuaValue> _constants = [];
    private readonly Dictionary<LuaString, int> _textIndexes = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<long, int> _numberIndexes = [];
    private readonly List<byte> _names = [];
    private readonly List<LuaString> _variables = [];
    private readonly Dictionary<LuaString, int> _variableIndexes = new(ReferenceEqualityComparer.Instance);
    private int _lastNamed;
    private int _maxRegisters = MinRegisters;

    /// <summary>The line of the instructions that follow.</summary>
    public int Line { get; set; }

    /// <summary>The first register that is not in use.</summary>
    public int Free { get; private set; }

    /// <summary>The position of the next instruction.</summary>
    public int Position => _code.Count;

    public int Emit(Opcode opcode, int a, int b = 0, int c = 0)
    {
        _code.Add(new Instruction(opcode, (byte)a, (ushort)b, c));
        _lines.Add(Line);
        meter?.CountBytes(InstructionBytes);
        return _code.Count - 1;
    }

    /// <summary>Emits a jump whose target is set later.</summary>
    public void EmitJump(Opcode opcode, int a, int b, List<int> jumps) => jumps.Add(Emit(opcode, a, b));

    /// <summary>Lets jumps lead to the next instruction.</summary>
    public void PatchHere(List<int> jumps)
    {
        foreach (int jump in jumps)
            SetTarget(jump, Position);
    }

    public void SetTarget(int jump, int target)
    {
        Instruction instruction = _code[jump];
        instruction.C = target;
        _code[jump] = instruction;
    }

    /// <summary>Changes the sizes of a table when all its fields are known.</summary>
    public void SetSizes(int instruction, ushort arraySize, int hashSize)
    {
        Instruction changed = _code[instruction];
        changed.B = arraySize;
        changed.C = hashSize;
        _code[instruction] = changed;
    }

    /// <summary>Takes the next registers.</summary>
    public int Reserve(int count = 1)
    {
        int first = Free;
        Free += count;
        if (Free > MaxRegisters)
            throw new LuaSyntaxException($"{source}:{Line}: function or expression too complex");
        _maxRegisters = Math.Max(_maxRegisters, Free);
        return first;
    }

    public void Release(int free) => Free = free;

    /// <summary>The index of a number. 0 and -0 are the same constant, whichever comes first, as in Lua 5.1.</summary>
    public int Constant(double number)
    {
        long key = BitConverter.DoubleToInt64Bits(number == 0 ? 0 : number);
        if (!_numberIndexes.TryGetValue(key, out int index))
        {
            index = AddConstant(new LuaValue(number));
            _numberIndexes.Add(key, index);
        }

        return index;
    }

    /// <summary>
    /// Notes a key that instructions hold themselves. In Lua 5.1 a zero there is a constant, so it decides the sign of later zeros.
    /// </summary>
    public void AddKey(Expression key)
    {
        if (key is Expression.Number { Value: 0 } zero)
            Constant(zero.Value);
    }

    /// <summary>
    /// The index of a text, of which the source has one object for each content. Its hash is known, since threads share it.
    /// </summary>
    public int Constant(LuaString text)
    {
        if (!_textIndexes.TryGetValue(text, out int index))
        {
            index = AddConstant(new LuaValue(text));
            _textIndexes.Add(text, index);
        }

        return index;
    }

    /// <summary>Records what an operand of the last instruction is called in the source.</summary>
    public void Name(int operand, Expression expression)
    {
        switch (expression)
        {
            case Expression.Local local:
                NameVariable(operand, OperandKind.Local, local.Variable.Name);
                break;
            case Expression.Upvalue upvalue:
                NameVariable(operand, OperandKind.Upvalue, upvalue.Name);
                break;
            case Expression.Global global:
                AddName(operand, OperandKind.Global, Constant(global.Name));
                break;
            case Expression.Index { Key: Expression.Text key }:
                AddName(operand, OperandKind.Field, Constant(key.Value));
                break;
            case Expression.Index:
                AddName(operand, OperandKind.UnknownField, 0);
                break;
            case Expression.Single single:
                Name(operand, single.Inner);
                break;
        }
    }

    /// <summary>Records the name of a method that the last instruction calls.</summary>
    public void NameMethod(LuaString name) => AddName(OperandErrors.First, OperandKind.Method, Constant(name));

    /// <summary>Records the name of a variable that is an operand of the last instruction.</summary>
    public void NameVariable(int operand, OperandKind kind, LuaString name)
    {
        if (!_variableIndexes.TryGetValue(name, out int index))
        {
            index = _variables.Count;
            _variables.Add(name);
            _variableIndexes.Add(name, index);
        }

        AddName(operand, kind, index);
    }

    /// <summary>The finished function; the builder is then ready for another one.</summary>
    public Prototype Build(FunctionBody body, Prototype[] nested)
    {
        var built = new Prototype
        {
            Code = [.. _code],
            Constants = [.. _constants],
            Nested = nested,
            Captures = RegistersOf(body.Captures),
            Lines = _lines.Build(),
            Names = _names.Count == 0 ? NameTable.Empty : new NameTable([.. _names], [.. _variables]),
            Parameters = body.Parameters.Count,
            IsVararg = body.IsVararg,
            Registers = _maxRegisters + SpareRegisters,
            Source = source,
            Line = body.Line,
            IsOwned = meter is { IsOwned: true },
        };
        _code.Clear();
        _constants.Clear();
        _textIndexes.Clear();
        _numberIndexes.Clear();
        _names.Clear();
        _variables.Clear();
        _variableIndexes.Clear();
        _lastNamed = 0;
        _maxRegisters = MinRegisters;
        Free = 0;
        return built;
    }

    private static int[] RegistersOf(Capture[] captures) =>
        captures.Length == 0
            ? []
            : Array.ConvertAll(captures, static capture => capture.Local is { } local ? local.Register : ~capture.Upvalue);

    private void AddName(int operand, OperandKind kind, int name)
    {
        NameTable.Add(_names, Position - 1 - _lastNamed, operand, kind, name);
        _lastNamed = Position - 1;
    }

    private int AddConstant(in LuaValue value)
    {
        meter?.CountBytes(ConstantBytes);
        _constants.Add(value);
        return _constants.Count - 1;
    }
}
