// Generates code for the expressions of a function. One thread.
using Garnet.Lua.Execution;

namespace Garnet.Lua.Compilation;

/// <summary>Turns expressions into code that leaves their values in registers, or that jumps.</summary>
internal sealed class ExpressionGenerator(CodeBuilder code, Func<FunctionBody, int> generateNested)
{
    // Elements of a table constructor are stored in groups.
    private const int GroupSize = 50;

    private const int MaxComparedText = 256;

    /// <summary>Whether the code of an expression may write its target before it has read all operands.</summary>
    public static bool WritesEarly(Expression expression) =>
        expression
            is Expression.Binary { Operator: BinaryOperator.And or BinaryOperator.Or }
                or Expression.Table
                or Expression.Single
                or Expression.Dots;

    /// <summary>Whether the instructions for fields and elements have room for the key.</summary>
    public static bool IsConstantKey(Expression key) => key is Expression.Text || IsElementKey(key, out _);

    /// <summary>The value in the next register.</summary>
    public int EmitNext(Expression expression)
    {
        if (expression.IsMultiple)
        {
            EmitMultiple(expression, results: 1);
            return code.Reserve();
        }

        int register = code.Reserve();
        EmitTo(expression, register);
        return register;
    }

    /// <summary>The value in any register: a variable's own, or the next.</summary>
    public int EmitToAny(Expression expression) => Unbox(EmitOperand(expression));

    /// <summary>
    /// As <see cref="EmitToAny"/>, but a captured variable is read only when it is used, so that calls in between can change it.
    /// </summary>
    public Operand EmitOperand(Expression expression) =>
        expression switch
        {
            Expression.Local local => new Operand(local.Variable.Register, local.Variable.IsCaptured),
            Expression.Single { Inner: Expression.Local local } => new Operand(local.Variable.Register, local.Variable.IsCaptured),
            _ => new Operand(EmitNext(expression), IsBox: false),
        };

    /// <summary>Values in consecutive registers, exactly <paramref name="wanted"/>.</summary>
    public void EmitList(Expression[] values, int wanted)
    {
        int first = code.Free;
        for (int i = 0; i < values.Length; i++)
        {
            bool isLast = i == values.Length - 1;
            if (isLast && values[i].IsMultiple && wanted > i)
            {
                EmitMultiple(values[i], wanted - i);
                code.Release(first + i);
                code.Reserve(wanted - i);
                return;
            }

            int register = EmitNext(values[i]);
            if (i >= wanted)
                code.Release(register);
        }

        int missing = wanted - values.Length;
        if (missing > 0)
            code.Emit(Opcode.LoadNil, code.Reserve(missing), missing - 1);
    }

    /// <summary>Values in consecutive registers; true if the last one has any number of values, up to the top.</summary>
    public bool EmitOpenList(Expression[] values)
    {
        for (int i = 0; i < values.Length; i++)
        {
            if (i == values.Length - 1 && values[i].IsMultiple)
            {
                EmitMultiple(values[i], results: -1);
                return true;
            }

            EmitNext(values[i]);
        }

        return false;
    }

    /// <summary>A call or ... with the given number of results (-1: all) from the next register on.</summary>
    public void EmitMultiple(Expression expression, int results)
    {
        int free = code.Free;
        if (expression is Expression.Dots)
        {
            if (results > 0)
                code.Reserve(results);
            code.Line = expression.Line;
            code.Emit(Opcode.Vararg, free, results + 1);
            code.Release(free);
            return;
        }

        EmitCall(expression, Opcode.Call, results + 1);
        code.Release(free);
    }

    /// <summary>A call that replaces the function; gives the register from which its results are returned if it cannot.</summary>
    public int EmitTailCall(Expression expression)
    {
        int free = code.Free;
        EmitCall(expression, Opcode.TailCall, 0);
        code.Release(free);
        return free;
    }

    /// <summary>
    /// The value in the given register. A register that is not <paramref name="fresh"/> belongs to a variable that the expression may read.
    /// </summary>
    public void EmitTo(Expression expression, int target, bool fresh = true)
    {
        int free = code.Free;
        switch (expression)
        {
            case Expression.Nil:
                code.Emit(Opcode.LoadNil, target);
                break;
            case Expression.Boolean boolean:
                code.Emit(Opcode.LoadBoolean, target, boolean.Value ? 1 : 0);
                break;
            case Expression.Number number:
                code.Emit(Opcode.LoadConstant, target, 0, code.Constant(number.Value));
                break;
            case Expression.Text text:
                code.Emit(Opcode.LoadConstant, target, 0, code.Constant(text.Value));
                break;
            case Expression.Local { Variable: { } variable }:
                if (variable.IsCaptured)
                    code.Emit(Opcode.GetBox, target, variable.Register);
                else if (variable.Register != target)
                    code.Emit(Opcode.Move, target, variable.Register);
                break;
            case Expression.Upvalue upvalue:
                code.Emit(Opcode.GetUpvalue, target, upvalue.Slot);
                break;
            case Expression.Global global:
                code.Line = global.Line;
                code.Emit(Opcode.GetGlobal, target, 0, code.Constant(global.Name));
                break;
            case Expression.Index index:
                EmitIndex(index, target, fresh);
                break;
            case Expression.Call or Expression.MethodCall or Expression.Dots:
                EmitOne(expression, target);
                break;
            case Expression.Single single:
                EmitTo(single.Inner, target);
                break;
            case Expression.Unary unary:
                EmitUnary(unary, target, fresh);
                break;
            case Expression.Binary binary:
                EmitBinary(binary, target, fresh);
                break;
            case Expression.Table table:
                EmitTable(table, target);
                break;
            case Expression.Function function:
                code.Emit(Opcode.Closure, target, 0, generateNested(function.Body));
                break;
        }

        code.Release(free);
    }

    /// <summary>Stores a register in an indexed place.</summary>
    public void EmitStore(Expression.Index index, Operand table, Operand key, int value)
    {
        int target = Unbox(table);
        if (index.Key is Expression.Text text)
            code.Emit(Opcode.SetField, target, value, code.Constant(text.Value));
        else if (IsElementKey(index.Key, out int element))
            code.Emit(Opcode.SetElement, target, value, element);
        else
            code.Emit(Opcode.SetIndex, target, Unbox(key), value);
        code.Name(OperandErrors.First, index.Target);
    }

    /// <summary>Jumps if the truth of the expression is <paramref name="jumpWhen"/>, otherwise continues.</summary>
    public void EmitCondition(Expression expression, bool jumpWhen, List<int> jumps)
    {
        int free = code.Free;
        switch (expression)
        {
            case Expression.Nil or Expression.Boolean or Expression.Number or Expression.Text:
                if (jumpWhen == expression is not (Expression.Nil or Expression.Boolean { Value: false }))
                    code.EmitJump(Opcode.Jump, 0, 0, jumps);
                break;
            case Expression.Unary { Operator: UnaryOperator.Not } not:
                EmitCondition(not.Operand, !jumpWhen, jumps);
                break;
            case Expression.Binary { Operator: BinaryOperator.And or BinaryOperator.Or } choice:
                if (choice.Operator == BinaryOperator.Or == jumpWhen)
                {
                    EmitCondition(choice.Left, jumpWhen, jumps);
                    MarkTested(choice);
                    EmitCondition(choice.Right, jumpWhen, jumps);
                }
                else
                {
                    var skips = new List<int>();
                    EmitCondition(choice.Left, !jumpWhen, skips);
                    MarkTested(choice);
                    EmitCondition(choice.Right, jumpWhen, jumps);
                    code.PatchHere(skips);
                }

                break;
            case Expression.Binary { Operator: >= BinaryOperator.Equal and <= BinaryOperator.GreaterEqual } comparison:
                EmitComparison(comparison, jumpWhen, jumps);
                break;
            default:
                code.EmitJump(jumpWhen ? Opcode.JumpIfTrue : Opcode.JumpIfFalse, EmitToAny(expression), 0, jumps);
                break;
        }

        code.Release(free);
    }

    // A number on the left of "or" becomes a constant in Lua 5.1, although it needs no test.
    private void MarkTested(Expression.Binary choice)
    {
        Expression last = choice.Left;
        while (last is Expression.Binary { Operator: BinaryOperator.And or BinaryOperator.Or } inner)
            last = inner.Right;
        if (choice.Operator == BinaryOperator.Or && last is Expression.Number number)
            code.Constant(number.Value);
    }

    private static bool IsElementKey(Expression key, out int element)
    {
        element = key is Expression.Number number ? (int)number.Value : 0;
        return key is Expression.Number { Value: var value } && element == value;
    }

    // As EmitOperand, but with the result's register for the operand if it may be overwritten early: chains need few registers.
    private Operand EmitOperandInto(Expression expression, int target, bool fresh)
    {
        if (!fresh || expression is Expression.Local or Expression.Single { Inner: Expression.Local } || expression.IsMultiple)
            return EmitOperand(expression);
        EmitTo(expression, target);
        return new Operand(target, IsBox: false);
    }

    private int Unbox(Operand operand)
    {
        if (!operand.IsBox)
            return operand.Register;
        int register = code.Reserve();
        code.Emit(Opcode.GetBox, register, operand.Register);
        return register;
    }

    private void EmitOne(Expression expression, int target)
    {
        int first = code.Free;
        EmitMultiple(expression, 1);
        if (first == target)
            return;
        code.Reserve();
        code.Emit(Opcode.Move, target, first);
    }

    private void EmitIndex(Expression.Index index, int target, bool fresh)
    {
        Operand table = EmitOperandInto(index.Target, target, fresh);
        if (index.Key is Expression.Text text)
        {
            int register = Unbox(table);
            code.Line = index.Line;
            code.Emit(Opcode.GetField, target, register, code.Constant(text.Value));
        }
        else if (IsElementKey(index.Key, out int element))
        {
            int register = Unbox(table);
            code.AddKey(index.Key);
            code.Line = index.Line;
            code.Emit(Opcode.GetElement, target, register, element);
        }
        else
        {
            Operand key = EmitOperand(index.Key);
            int register = Unbox(table);
            int keyRegister = Unbox(key);
            code.Line = index.Line;
            code.Emit(Opcode.GetIndex, target, register, keyRegister);
        }

        code.Name(OperandErrors.First, index.Target);
    }

    private void EmitCall(Expression expression, Opcode opcode, int results)
    {
        int function;
        Expression[] arguments;
        int fixedArguments = 0;
        if (expression is Expression.MethodCall method)
        {
            int target = EmitToAnyAt(method.Target, out function);
            code.Line = method.Line;
            code.Emit(Opcode.Self, function, target, code.Constant(method.Name));
            code.Name(OperandErrors.First, method.Target);
            arguments = method.Arguments;
            fixedArguments = 1;
        }
        else
        {
            var call = (Expression.Call)expression;
            function = EmitNext(call.Called);
            arguments = call.Arguments;
        }

        bool isOpen = EmitOpenList(arguments);
        if (results > 1)
            ReserveResults(function, results - 1);
        code.Line = expression.Line;
        code.Emit(opcode, function, isOpen ? 0 : arguments.Length + fixedArguments + 1, results);
        if (expression is Expression.MethodCall named)
            code.NameMethod(named.Name);
        else
            code.Name(OperandErrors.First, ((Expression.Call)expression).Called);
    }

    // The object of a method call, with two registers for the function and the object after it.
    private int EmitToAnyAt(Expression expression, out int function)
    {
        int first = code.Free;
        int register = EmitToAny(expression);
        code.Release(first);
        function = code.Reserve(2);
        return register;
    }

    private void ReserveResults(int function, int count)
    {
        int missing = function + count - code.Free;
        if (missing > 0)
            code.Reserve(missing);
    }

    private void EmitUnary(Expression.Unary unary, int target, bool fresh)
    {
        Opcode opcode = unary.Operator switch
        {
            UnaryOperator.Negate => Opcode.Negate,
            UnaryOperator.Not => Opcode.Not,
            _ => Opcode.Length,
        };
        int operand = Unbox(EmitOperandInto(unary.Operand, target, fresh));
        code.Line = unary.Line;
        code.Emit(opcode, target, operand);
        code.Name(OperandErrors.First, unary.Operand);
    }

    private void EmitBinary(Expression.Binary binary, int target, bool fresh)
    {
        switch (binary.Operator)
        {
            case <= BinaryOperator.Power:
                EmitArithmetic(binary, target, fresh);
                break;
            case BinaryOperator.Concatenate:
                EmitConcatenation(binary, target);
                break;
            case BinaryOperator.And or BinaryOperator.Or:
            {
                var ends = new List<int>();
                EmitTo(binary.Left, target);
                code.EmitJump(binary.Operator == BinaryOperator.And ? Opcode.JumpIfFalse : Opcode.JumpIfTrue, target, 0, ends);
                EmitTo(binary.Right, target);
                code.PatchHere(ends);
                break;
            }

            default:
            {
                var trues = new List<int>();
                EmitComparison(binary, jumpWhen: true, trues);
                code.Emit(Opcode.LoadBoolean, target, 0);
                var end = new List<int>();
                code.EmitJump(Opcode.Jump, 0, 0, end);
                code.PatchHere(trues);
                code.Emit(Opcode.LoadBoolean, target, 1);
                code.PatchHere(end);
                break;
            }
        }
    }

    // In Lua 5.1 a number on the left becomes a constant after the right side's numbers, which decides the sign of zeros.
    private void EmitArithmetic(Expression.Binary binary, int target, bool fresh)
    {
        if (binary.Right is Expression.Number constant)
        {
            if (binary.Left is Expression.Number)
                code.Constant(constant.Value);
            int register = Unbox(EmitOperandInto(binary.Left, target, fresh));
            code.Line = binary.Line;
            code.Emit((Opcode)((int)Opcode.AddConstant + (int)binary.Operator), target, register, code.Constant(constant.Value));
            code.Name(OperandErrors.First, binary.Left);
            return;
        }

        bool isLeftLast = binary.Left is Expression.Number;
        Operand left = isLeftLast ? default : EmitOperandInto(binary.Left, target, fresh);
        Operand right = EmitOperand(binary.Right);
        if (isLeftLast)
            left = EmitOperandInto(binary.Left, target, fresh);
        int leftRegister = Unbox(left);
        int rightRegister = Unbox(right);
        code.Line = binary.Line;
        code.Emit((Opcode)((int)Opcode.Add + (int)binary.Operator), target, leftRegister, rightRegister);
        code.Name(OperandErrors.First, binary.Left);
        code.Name(OperandErrors.Second, binary.Right);
    }

    // a .. b .. c groups to the right and is one instruction.
    private void EmitConcatenation(Expression.Binary binary, int target)
    {
        var parts = new List<Expression>();
        Expression rest = binary;
        while (rest is Expression.Binary { Operator: BinaryOperator.Concatenate } pair)
        {
            parts.Add(pair.Left);
            rest = pair.Right;
        }

        parts.Add(rest);
        int first = code.Free;
        foreach (Expression part in parts)
            EmitNext(part);
        code.Line = binary.Line;
        code.Emit(Opcode.Concatenate, target, first, parts.Count);
        for (int i = 0; i < parts.Count; i++)
            code.Name(i, parts[i]);
    }

    private void EmitComparison(Expression.Binary comparison, bool jumpWhen, List<int> jumps)
    {
        BinaryOperator relation = comparison.Operator;
        Expression left = comparison.Left;
        Expression right = comparison.Right;
        if (relation is BinaryOperator.Equal or BinaryOperator.NotEqual)
        {
            EmitEquality(comparison, relation == BinaryOperator.Equal == jumpWhen, jumps);
            return;
        }

        if (left is Expression.Number start)
        {
            code.Constant(start.Value);
            EmitConstantComparison(right, start, Mirror(relation), jumpWhen, comparison.Line, jumps);
        }
        else if (right is Expression.Number limit)
        {
            EmitConstantComparison(left, limit, relation, jumpWhen, comparison.Line, jumps);
        }
        else
        {
            Operand leftOperand = EmitOperand(left);
            Operand rightOperand = EmitOperand(right);
            int leftRegister = Unbox(leftOperand);
            EmitOrder(leftRegister, Unbox(rightOperand), relation, jumpWhen, comparison.Line, jumps);
        }
    }

    private void EmitOrder(int left, int right, BinaryOperator relation, bool jumpWhen, int line, List<int> jumps)
    {
        if (relation is BinaryOperator.Greater or BinaryOperator.GreaterEqual)
            (left, right) = (right, left);
        Opcode opcode = relation is BinaryOperator.Less or BinaryOperator.Greater ? Opcode.JumpLess : Opcode.JumpLessEqual;
        code.Line = line;
        code.EmitJump(jumpWhen ? opcode : opcode + 1, left, right, jumps);
    }

    private void EmitEquality(Expression.Binary comparison, bool jumpWhenEqual, List<int> jumps)
    {
        Expression left = comparison.Left;
        Expression right = comparison.Right;
        if (left is Expression.Number or Expression.Text)
        {
            ConstantOf(left);
            (left, right) = (right, left);
        }

        if (right is Expression.Number or Expression.Text)
        {
            int register = EmitToAny(left);
            int constant = ConstantOf(right);
            // The instruction compares at once; long texts are compared by the general one, which counts the work.
            bool isShort = constant <= ushort.MaxValue && right is not Expression.Text { Value.Length: > MaxComparedText };
            int other = isShort ? constant : EmitNext(right);
            Opcode opcode = isShort ? Opcode.JumpEqualConstant : Opcode.JumpEqual;
            code.Line = comparison.Line;
            code.EmitJump(jumpWhenEqual ? opcode : opcode + 1, register, other, jumps);
            return;
        }

        Operand leftOperand = EmitOperand(left);
        Operand rightOperand = EmitOperand(right);
        int leftRegister = Unbox(leftOperand);
        int rightRegister = Unbox(rightOperand);
        code.Line = comparison.Line;
        code.EmitJump(jumpWhenEqual ? Opcode.JumpEqual : Opcode.JumpNotEqual, leftRegister, rightRegister, jumps);
    }

    private void EmitConstantComparison(
        Expression value,
        Expression.Number limit,
        BinaryOperator relation,
        bool jumpWhen,
        int line,
        List<int> jumps
    )
    {
        int register = EmitToAny(value);
        int constant = code.Constant(limit.Value);
        if (constant > ushort.MaxValue)
        {
            EmitOrder(register, EmitNext(limit), relation, jumpWhen, line, jumps);
            return;
        }

        Opcode opcode = relation switch
        {
            BinaryOperator.Less => Opcode.JumpLessConstant,
            BinaryOperator.LessEqual => Opcode.JumpLessEqualConstant,
            BinaryOperator.Greater => Opcode.JumpGreaterConstant,
            _ => Opcode.JumpGreaterEqualConstant,
        };
        code.Line = line;
        code.EmitJump(jumpWhen ? opcode : opcode + 1, register, constant, jumps);
    }

    // The index of a number or a text.
    private int ConstantOf(Expression expression) =>
        expression is Expression.Number number ? code.Constant(number.Value) : code.Constant(((Expression.Text)expression).Value);

    private static BinaryOperator Mirror(BinaryOperator relation) =>
        relation switch
        {
            BinaryOperator.Less => BinaryOperator.Greater,
            BinaryOperator.LessEqual => BinaryOperator.GreaterEqual,
            BinaryOperator.Greater => BinaryOperator.Less,
            _ => BinaryOperator.LessEqual,
        };

    private void EmitTable(Expression.Table table, int target)
    {
        // Elements follow the table's register, so it must be the last one in use.
        int register = target == code.Free - 1 ? target : code.Reserve();
        code.Line = table.Line;
        int creation = code.Emit(Opcode.NewTable, register);
        int elements = 0;
        int pending = 0;
        int named = 0;
        bool isOpen = false;
        for (int i = 0; i < table.Fields.Length; i++)
        {
            (Expression? key, Expression value) = table.Fields[i];
            if (key is not null)
            {
                EmitField(register, key, value);
                named++;
                continue;
            }

            if (pending == GroupSize)
                Flush(register, ref elements, ref pending);

            if (i == table.Fields.Length - 1 && value.IsMultiple)
            {
                EmitMultiple(value, results: -1);
                isOpen = true;
            }
            else
            {
                EmitNext(value);
                pending++;
            }
        }

        code.SetSizes(creation, TableSize.Encode(TableSize.Round(elements + pending)), TableSize.Round(named));
        if (isOpen)
            code.Emit(Opcode.SetList, register, 0, elements);
        else if (pending > 0)
            Flush(register, ref elements, ref pending);
        if (register != target)
            code.Emit(Opcode.Move, target, register);
    }

    private void Flush(int register, ref int elements, ref int pending)
    {
        code.Emit(Opcode.SetList, register, pending, elements);
        elements += pending;
        pending = 0;
        code.Release(register + 1);
    }

    private void EmitField(int table, Expression key, Expression value)
    {
        int free = code.Free;
        if (key is Expression.Text text)
        {
            int register = EmitToAny(value);
            code.Emit(Opcode.SetField, table, register, code.Constant(text.Value));
        }
        else
        {
            Operand keyOperand = EmitOperand(key);
            Operand valueOperand = EmitOperand(value);
            int keyRegister = Unbox(keyOperand);
            int valueRegister = Unbox(valueOperand);
            code.Emit(Opcode.SetIndex, table, keyRegister, valueRegister);
        }

        code.Release(free);
    }
}
